import { SendMessageRequest } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as v from "valibot";

const text = v.nullish(v.string());
const SentPart = v.looseObject({
  ...{ text, url: text, raw: text, filename: text, mediaType: text, media_type: text },
});

/**
 * A message of version 1.0 as it came, in either spelling, as far as its codecs would make a text of what is none, such as
 * "[object Object]" of a context.
 */
export const SentMessage = v.looseObject({
  message: v.looseObject({
    ...{ messageId: text, message_id: text, contextId: text, context_id: text, taskId: text, task_id: text },
    parts: v.nullish(v.array(SentPart)),
  }),
});

/** Said of what the codecs fail at, in whatever words of theirs. */
export const unreadable = () => new RequestMalformedError("the parameters cannot be read");

/** @throws RequestMalformedError for a request that the codecs fail at */
export function readRequest(body: unknown): SendMessageRequest {
  try {
    return SendMessageRequest.fromJSON(body);
  } catch (error) {
    if (error instanceof TypeError) throw unreadable();
    throw error;
  }
}
