/** The only frame whose data does not carry its type: older clients read it as a run and not as an event. */
const BARE = "WorkflowRunOutput";

/**
 * One server-sent event as this wire frames it: the type line, one line of compact JSON, a blank line. No id, no
 * retry, no end token.
 *
 * @source docs/interface/runs.md 5.1
 */
export function sseFrame<E extends { readonly event: string }>(message: E): string {
  const { event, ...rest } = message;
  return `event: ${event}\ndata: ${JSON.stringify(event === BARE ? rest : message)}\n\n`;
}
