import * as v from "valibot";
import { ClientTool } from "../runs/client-tool.ts";
import { SessionId } from "../sessions/session-id.ts";
import { meaning } from "../values/described-as.ts";
import { isStorable, unstorable } from "../values/storable.ts";

const MAX_TOOLS = 128;
/** Longest id of a message, as its client names it, in characters. */
const MAX_MESSAGE_ID_CHARS = 255;

/**
 * A part of a message of the AI SDK. Which members it has depends on its type; what a run is made of is checked where it is read.
 *
 * @source ai 7.0.173, `UIMessagePart`
 */
export const UiPart = v.looseObject({ type: v.string() });
export type UiPart = v.InferOutput<typeof UiPart>;

/** A message of the AI SDK, as its client keeps it. */
export const UiMessage = v.looseObject({
  id: meaning(
    v.pipe(v.string(), v.maxLength(MAX_MESSAGE_ID_CHARS)),
    "Of an answer the id of its run; of a question the one that its client gave it",
  ),
  role: v.picklist(["system", "user", "assistant"]),
  parts: v.array(UiPart),
});
export type UiMessage = v.InferOutput<typeof UiMessage>;

/** The request of `useChat`. */
export const UiChatRequest = v.looseObject({
  id: meaning(v.pipe(SessionId, v.nonEmpty()), "The conversation: the session_id of the run routes"),
  messages: meaning(
    v.pipe(v.array(UiMessage), v.minLength(1)),
    "Only one is read: the one that messageId names, else the last. The session holds the rest",
  ),
  trigger: meaning(
    v.optional(v.picklist(["submit-message", "regenerate-message"]), "submit-message"),
    "Whether something was said or answered, or the last answer is wanted once more",
  ),
  messageId: meaning(
    v.optional(v.nullable(v.string())),
    "The message whose questions are answered, or the answer that is wanted once more",
  ),
  tools: meaning(
    v.optional(
      v.pipe(
        v.array(ClientTool),
        v.maxLength(MAX_TOOLS),
        v.check((value) => isStorable(value), unstorable),
      ),
      [],
    ),
    "Tools that the client executes; the run pauses for their results",
  ),
  background: meaning(
    v.optional(v.boolean(), false),
    "Executed by the queue: the run survives crashes. The same message again follows the run that it began",
  ),
});
export type UiChatRequest = v.InferOutput<typeof UiChatRequest>;
