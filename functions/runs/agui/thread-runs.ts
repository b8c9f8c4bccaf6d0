import type { RunsDeps } from "../../../shared/runs/index.ts";
import { type ConversationRuns, conversationRuns } from "../conversation-runs.ts";
import type { AguiRequest } from "./agui-request.ts";

/**
 * The runs of the caller's thread; none for a thread that is new.
 *
 * @throws ServiceError NOT_FOUND for a session of another user, or of another component
 */
export async function threadRuns(
  { principal, component, body }: Pick<AguiRequest, "principal" | "component" | "body">,
  deps: Pick<RunsDeps, "db" | "clock">,
): Promise<ConversationRuns> {
  const found = await conversationRuns({ principal, component, session_id: body.threadId }, deps);
  return found ?? { state: {}, runs: [] };
}
