import { Checkbox } from "../../parts/form/fields.tsx";

export type Options = { readonly force: boolean; readonly clear_cancellation: boolean };

/** What an operator confirms in addition to the requeue itself. */
export function RequeueOptions({
  options,
  onChange,
}: {
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}) {
  return (
    <div className="stack-tight">
      <Checkbox isSelected={options.force} onChange={(force) => onChange({ ...options, force })}>
        <span>
          Even if it failed a moment ago
          <span className="small faint option-about">Its last worker may still be at work on it.</span>
        </span>
      </Checkbox>
      <Checkbox
        isSelected={options.clear_cancellation}
        onChange={(clear_cancellation) => onChange({ ...options, clear_cancellation })}
      >
        <span>
          Take back its cancellation
          <span className="small faint option-about">Without this a cancelled run stops again at once.</span>
        </span>
      </Checkbox>
    </div>
  );
}
