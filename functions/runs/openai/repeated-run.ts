import { callerOf } from "../../../shared/auth/caller.ts";
import type { HandlerRequest } from "../../../shared/http/handler.ts";
import type { openaiRoutes } from "../../../shared/routes/protocols/openai.ts";
import { answerRepeated, type Component, findRepeated } from "../../../shared/runs/index.ts";
import type { McpDeps } from "../mcp/mcp-deps.ts";
import type { Frames } from "./followed-run.ts";

type Headers = Readonly<Record<string, string | undefined>>;

/** What of a request's headers goes on to the run: its key. */
export const keyIn = ({ "idempotency-key": key }: Headers): Headers =>
  key === undefined ? {} : { "idempotency-key": key };

/**
 * What answers a request that was made before under the same key; undefined for any other. It is looked up before anything that the
 * request names is read, since the run may have changed that.
 *
 * @returns the run's events in such frames, or without frames what became of it
 */
export async function repeatedRun(
  { component, background }: { readonly component: Component; readonly background: boolean },
  request: Pick<
    HandlerRequest<typeof openaiRoutes.createOpenaiResponse>,
    "principal" | "headers" | "signal" | "invocation"
  >,
  deps: McpDeps,
): Promise<((frames?: Frames) => Promise<unknown>) | undefined> {
  const run = await findRepeated(request, deps, callerOf(request.principal).user_id);
  if (!run) return undefined;
  return (frames) => {
    const body = { stream: frames !== undefined, stream_events: true, background };
    return answerRepeated({ ...request, component, body, ...(frames && { frames }) }, deps, run);
  };
}
