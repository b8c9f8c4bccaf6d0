/** The events with which the stream of an agent, a team or a workflow ends. A cancelled run emits two of them. */
const terminalEventNames: ReadonlySet<string> = new Set([
  ...["RunCompleted", "RunPaused", "RunError", "RunCancelled"].flatMap((name) => [name, `Team${name}`]),
  "WorkflowCompleted",
  "WorkflowPaused",
  "WorkflowRunOutput",
  "WorkflowError",
  "WorkflowCancelled",
]);

type EmittedEvent = { readonly event: string; readonly run_id: string };

/** Whether an event is the end of this very run, not of one within it. */
export const isEndOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && terminalEventNames.has(event);

/** Whether an event says that this very run has failed. */
export const isFailureOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && (event === "WorkflowError" || event.endsWith("RunError"));

/** Whether an event says that this very run has replaced what others wrote; it is made when the end is written. */
export const isConflictOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && event.endsWith("SessionStateConflict");

const beginnings: ReadonlySet<string> = new Set(["RunStarted", "TeamRunStarted", "WorkflowStarted"]);

/** Whether an event is the beginning of this very run: events before it are void. */
export const isBeginningOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && beginnings.has(event);

/**
 * The events for a client that wants only content. Functions stream nothing, so a workflow's content is in its end.
 *
 * @source docs/interface/runs.md 3.3
 */
const contents: ReadonlySet<string> = new Set(["RunContent", "TeamRunContent", "WorkflowCompleted"]);
export const isContent = ({ event }: EmittedEvent): boolean => contents.has(event);
