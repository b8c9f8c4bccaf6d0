import { Checkbox } from "../../parts/form/fields.tsx";
import type { EventType } from "./webhook-records.ts";

/** Every type that a receiver may ask for. */
const known = Object.keys({
  "run.completed": true,
  "run.failed": true,
  "run.cancelled": true,
  "run.paused": true,
  "run.started": true,
  "job.queued": true,
  "job.running": true,
  "job.paused": true,
  "job.completed": true,
  "job.failed": true,
  "job.cancelled": true,
  "approval.created": true,
  "approval.resolved": true,
  "schedule.created": true,
  "schedule.updated": true,
  "schedule.deleted": true,
  "schedule_run.completed": true,
  "schedule_run.failed": true,
  "schedule_run.skipped": true,
  "evaluation.created": true,
  "evaluation.completed": true,
  "evaluation.failed": true,
  "feedback.created": true,
  "feedback.updated": true,
  "feedback.deleted": true,
} satisfies Record<EventType, true>) as EventType[]; // keys of a table that has each type once

type EventChoiceProps = {
  readonly chosen: readonly EventType[];
  readonly onChange: (chosen: readonly EventType[]) => void;
};

/** Which events a receiver is sent, one group for each kind of thing. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const groups = Map.groupBy(known, (type) => type.split(".")[0] ?? "");
  const set = (type: EventType, isOn: boolean) =>
    onChange(known.filter((one) => (one === type ? isOn : chosen.includes(one))));
  return (
    <div className="stack-tight">
      <div className="field-label" id="event-choice">
        Events
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <fieldset className="scope-choice event-choice" aria-labelledby="event-choice" tabIndex={0}>
        {[...groups].map(([kind, types]) => (
          <div key={kind} className="scope-group">
            {types.map((type) => (
              <Checkbox key={type} isSelected={chosen.includes(type)} onChange={(isOn) => set(type, isOn)}>
                {type}
              </Checkbox>
            ))}
          </div>
        ))}
      </fieldset>
      <div className="field-hint">Without a choice: every end, failure and pause of a run.</div>
    </div>
  );
}
