import { CHATS_ALONE } from "../../shared/domain/sessions/chat-session.ts";
import { ServiceError } from "../../shared/errors.ts";
import { isChatId } from "../../shared/schemas/chat/chat-id.ts";

/**
 * Refuses a schedule of runs in the session of a chat: none of them could be started.
 *
 * @throws ServiceError UNPROCESSABLE
 */
export function refuseSessionOfChat({
  payload,
}: {
  readonly payload: Readonly<Record<string, unknown>>;
}): void {
  const { session_id } = payload;
  if (typeof session_id === "string" && isChatId(session_id))
    throw new ServiceError("UNPROCESSABLE", CHATS_ALONE);
}
