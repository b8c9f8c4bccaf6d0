import { TextField } from "../parts/form/fields.tsx";
import { DECISION, type Draft, type Problems } from "./answers.ts";
import { ChoiceField } from "./choice-field.tsx";

type DecisionProps = {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly isChosenHere: boolean;
  readonly yes: string;
  readonly no: string;
  readonly noteHint: string;
  readonly onChange: (change: Partial<Draft>) => void;
};

/** Yes or no, with a note. */
export function Decision({ draft, problems, isChosenHere, yes, no, noteHint, onChange }: DecisionProps) {
  return (
    <>
      {isChosenHere && (
        <ChoiceField
          label="Decision"
          options={[
            { id: "yes", text: yes },
            { id: "no", text: no },
          ]}
          chosen={draft.decision === undefined ? [] : [draft.decision]}
          problem={problems[DECISION]}
          onChange={([chosen]) => onChange({ decision: chosen === "no" ? "no" : "yes" })}
        />
      )}
      <TextField
        label="Note (optional)"
        hint={noteHint}
        value={draft.note}
        onChange={(note) => onChange({ note })}
      />
    </>
  );
}
