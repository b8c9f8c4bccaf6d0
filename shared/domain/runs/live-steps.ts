import type { RecordedEvent } from "../../schemas/runs/run-event.ts";

const begins: ReadonlySet<string> = new Set([
  "RunStarted",
  "TeamRunStarted",
  "RunContinued",
  "TeamRunContinued",
]);
const ends: ReadonlySet<string> = new Set(
  ["RunCompleted", "RunError", "RunCancelled", "RunPaused"].flatMap((type) => [type, `Team${type}`]),
);

/** The ids of a workflow's steps in which an agent or a team is at work, in the order in which they began. */
export function liveSteps(events: readonly RecordedEvent[]): string[] {
  const open = new Map<string, string>();
  for (const event of events) {
    const step_id = "step_id" in event ? event.step_id : undefined;
    if (step_id !== undefined && begins.has(event.event)) open.set(event.run_id, step_id);
    if (ends.has(event.event)) open.delete(event.run_id);
  }
  return [...new Set(open.values())];
}
