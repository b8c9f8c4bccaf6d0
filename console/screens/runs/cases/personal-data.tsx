import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { Checkbox, TextField } from "../../../parts/form/fields.tsx";
import { allDetectable, type CasesDraft, detectableChoices } from "./new-cases.ts";

type PersonalDataProps = {
  readonly draft: CasesDraft;
  readonly onChange: (changes: Partial<CasesDraft>) => void;
  /** Whether runs of other users may be among them. */
  readonly areOthers: boolean;
  /** Whether the reader may leave any of it in what others said, and keep cases whose session is deleted. */
  readonly mayLeaveIn: boolean;
};

/** What is taken out of the texts before they become cases. */
export function PersonalData({ draft, onChange, areOthers, mayLeaveIn }: PersonalDataProps) {
  const isFixed = areOthers && !mayLeaveIn;
  const leavesIn = areOthers && draft.detect.length < allDetectable.length;
  return (
    <>
      <CheckboxGroup
        className="field"
        value={[...draft.detect]}
        onChange={(ids) => onChange({ detect: allDetectable.filter((id) => ids.includes(id)) })}
        isDisabled={isFixed}
      >
        <Label className="field-label">Take out personal data</Label>
        <div className="row case-detect">
          {detectableChoices.map(({ id, text }) => (
            <Checkbox key={id} value={id}>
              {text}
            </Checkbox>
          ))}
        </div>
        <Text slot="description" className="field-hint">
          {isFixed
            ? "Of what other users said all of it is taken out; only an admin may leave any of it in."
            : leavesIn
              ? "Other users said this. What you leave in is written to the audit."
              : "Equal values of a case become equal tokens, such as <email_1>."}
        </Text>
      </CheckboxGroup>
      <TextField
        label="Names to take out (optional)"
        value={draft.names}
        onChange={(names) => onChange({ names })}
        placeholder="Ann Lee, Zoë"
        hint="Separated by commas; names are not found by themselves"
      />
      <TextField
        label="Patterns to take out (optional)"
        value={draft.patterns}
        onChange={(patterns) => onChange({ patterns })}
        placeholder="A-\d{4}"
        rows={2}
        hint="Regular expressions, one a line; each match is taken out"
      />
      {mayLeaveIn && (
        <Checkbox isSelected={draft.outlive} onChange={(outlive) => onChange({ outlive })}>
          Keep the cases when their sessions are deleted
        </Checkbox>
      )}
      <p className="small soft">
        {draft.outlive
          ? "The cases have no link to their runs, and stay for good. This is written to the audit."
          : "When a run’s session is deleted, its case is erased in all versions."}
      </p>
    </>
  );
}
