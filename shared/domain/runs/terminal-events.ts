/** How the run of an agent, a team or a workflow ends, as its stream tells it. A cancelled one tells two of them. */
const endings: ReadonlySet<string> = new Set([
  ...["RunCompleted", "RunPaused", "RunError", "RunCancelled"].flatMap((name) => [name, `Team${name}`]),
  "WorkflowCompleted",
  "WorkflowPaused",
  "WorkflowRunOutput",
  "WorkflowError",
  "WorkflowCancelled",
]);

type Told = { readonly event: string; readonly run_id: string };

/** Whether an event tells the end of this very run, not of one within it. */
export const isEndOf = (runId: string, { event, run_id }: Told): boolean =>
  run_id === runId && endings.has(event);

/** Whether an event tells that this very run has failed. */
export const isFailureOf = (runId: string, { event, run_id }: Told): boolean =>
  run_id === runId && (event === "WorkflowError" || event.endsWith("RunError"));

/**
 * What a client gets that wants no events but the content. Functions stream nothing, so that of a workflow is in its end.
 *
 * @source contract, runs-and-queue 3.2, `stream_events`
 */
const contents: ReadonlySet<string> = new Set(["RunContent", "TeamRunContent", "WorkflowCompleted"]);
export const isContent = ({ event }: Told): boolean => contents.has(event);
