import type { LeasedMessage } from "./chat-worker-deps.ts";

/** Says in the log why a message gets no answer; nothing of the message itself. */
export const logUnanswered = ({ deps, message }: LeasedMessage, why: string): void =>
  deps.log.info("a message of a chat is not answered", { platform: message.target.platform, why });
