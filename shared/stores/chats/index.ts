export { getChat, hasChat, moveChat, recordAnswering, recordAsking, type StoredChat } from "./chat.ts";
export { chatWork, recordAnswer, recordAnswered, recordEnqueued } from "./chat-work.ts";
export {
  type Claim,
  claimMessage,
  getMessage,
  messageOfRun,
  recordRunMessage,
  type StoredChatMessage,
} from "./message-item.ts";
export { recordSent, runOfFeedback } from "./sent-item.ts";
