/** The one frame whose data does not say its type: clients of an older wire read it as a run and not as an event. */
const BARE = "WorkflowRunOutput";

/**
 * One server-sent event as this wire frames it: the type line, one line of compact JSON, a blank line. No id, no
 * retry, no end token.
 *
 * @source contract, runs-and-queue 5.1 and 5.5
 */
export function sseFrame<E extends { readonly event: string }>(told: E): string {
  const { event, ...rest } = told;
  return `event: ${event}\ndata: ${JSON.stringify(event === BARE ? rest : told)}\n\n`;
}
