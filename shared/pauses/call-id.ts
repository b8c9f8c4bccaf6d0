/**
 * The id of a tool call in AG-UI: the run that made it, and its id there. Model providers number calls within one answer, so
 * two calls of a thread may have the same id; and a result that comes back must show which run waits for it.
 */
export const wireCallId = (run_id: string, tool_call_id: string): string => `${run_id}:${tool_call_id}`;

/** The run and its own id of a call; undefined for an id that is not of this platform. */
export function ownCallId(
  id: string,
): { readonly run_id: string; readonly tool_call_id: string } | undefined {
  const at = id.indexOf(":");
  return at < 1 ? undefined : { run_id: id.slice(0, at), tool_call_id: id.slice(at + 1) };
}
