import { ServiceError } from "../../errors.ts";
import { isChatId } from "../../schemas/chat/chat-id.ts";

/**
 * Refuses the session of a chat to everybody but the chat: whoever opened one first would keep its person out of it.
 *
 * @throws ServiceError BAD_REQUEST
 */
export function refuseChatSession(sessionId: string | undefined): void {
  if (sessionId !== undefined && isChatId(sessionId)) throw new ServiceError("BAD_REQUEST", CHATS_ALONE);
}

/** What is said about such an id, wherever it is refused. */
export const CHATS_ALONE =
  "session ids that begin with tg:, wa: or sl: belong to chats; choose another one, or leave it out";
