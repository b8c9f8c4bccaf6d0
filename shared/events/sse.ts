/**
 * One server-sent event as this wire frames it: the type line, one line of compact JSON, a blank line. No id, no
 * retry, no end token.
 *
 * @source contract, runs-and-queue 5.1
 */
export function sseFrame<E extends { readonly event: string }>(event: E): string {
  return `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
