import { useMay, useMe } from "../../access/use-me.ts";
import { pluralOf } from "../../api/kinds.ts";
import { useRunnables } from "../../api/use-runnables.ts";
import { Combo } from "../../parts/form/combo.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { type Draft, OTHER, parsedTarget } from "./draft.ts";

const methods = (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map((id) => ({ id, text: id }));

type TargetFieldProps = {
  readonly draft: Draft;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (changes: Partial<Draft>) => void;
};

/** What a schedule runs, and with what. */
export function TargetField({ draft, errors, onChange }: TargetFieldProps) {
  const may = useMay();
  const { is_admin } = useMe();
  const { runnables } = useRunnables();
  const choices = runnables
    .filter(({ kind, id }) => may(`${pluralOf[kind]}:run`, id))
    .map(({ kind, id, name }) => ({ id: `${kind}:${id}`, text: name, about: `${kind} ${id}` }));
  const chosen = parsedTarget(draft.target);
  // A component that the lists do not hold, such as an archived one, is still what the schedule runs.
  const isListed = choices.some(({ id }) => id === draft.target);
  const all = [
    ...(chosen && !isListed ? [{ id: draft.target, text: chosen.id, about: chosen.kind }] : []),
    ...choices,
    ...(is_admin || draft.target === OTHER
      ? [{ id: OTHER, text: "Another request of this platform", about: "such as reading a list" }]
      : []),
  ];
  const isOther = draft.target === OTHER;
  return (
    <fieldset className="form-group">
      <legend>What it runs</legend>
      <Combo
        label="Agent, team or workflow"
        placeholder="Type to search"
        choices={all}
        value={draft.target}
        onChange={(target) => onChange({ target })}
        error={errors.target ?? (isOther ? undefined : errors.endpoint)}
      />
      {isOther ? (
        <div className="form-columns">
          <Select
            label="Method"
            choices={methods}
            value={draft.method}
            onChange={(id) => onChange({ method: id as Draft["method"] })}
          />
          <TextField
            label="Path"
            placeholder="/agents"
            value={draft.endpoint}
            onChange={(endpoint) => onChange({ endpoint })}
            error={errors.endpoint ?? errors.method}
          />
        </div>
      ) : (
        <TextField
          label="Message"
          rows={3}
          value={draft.message}
          onChange={(message) => onChange({ message })}
          error={errors.message}
          hint="What it is asked each time."
        />
      )}
      <TextField
        label={isOther ? "Body (JSON, optional)" : "Further fields of the run (JSON, optional)"}
        rows={draft.payload === "" ? 2 : 5}
        inputClass="react-aria-TextArea mono"
        placeholder={isOther ? "{ }" : '{ "session_id": "daily", "session_state": { } }'}
        value={draft.payload}
        onChange={(payload) => onChange({ payload })}
        error={errors.payload}
      />
    </fieldset>
  );
}
