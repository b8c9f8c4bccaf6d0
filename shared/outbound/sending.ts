/** The face for the process that delivers: signed messages, the bus, tasks of state machines. */
export { connectEventBus, type EventBus } from "./event-bus.ts";
export { type Posted, postMessage } from "./post-message.ts";
export { signatureHeaders } from "./sign-message.ts";
export {
  connectTaskTokens,
  MAX_CAUSE_CHARS,
  MAX_OUTPUT_BYTES,
  type TaskEnd,
  type TaskTokens,
} from "./task-tokens.ts";
