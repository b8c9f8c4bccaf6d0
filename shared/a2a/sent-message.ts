import { SendMessageRequest } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as v from "valibot";
import { EnvelopePart } from "../schemas/a2a/a2a-envelope.ts";
import { Base64 } from "../schemas/values/base64.ts";

const text = v.nullish(v.string());
const SentPart = v.looseObject({
  ...{ text, url: text, raw: v.nullish(Base64), filename: text, mediaType: text, media_type: text },
});

/**
 * The text fields of a version 1.0 message as received, in either spelling. The codecs would turn other values into
 * text, such as a context object into "[object Object]".
 */
export const SentMessage = v.looseObject({
  message: v.looseObject({
    ...{ messageId: text, message_id: text, contextId: text, context_id: text, taskId: text, task_id: text },
    parts: v.nullish(v.array(SentPart)),
  }),
});

/**
 * The parts of a message of version 0.3 as received. Its codecs make an empty text of a part without one, and skip what is
 * not base64.
 */
export const SentLegacyMessage = v.looseObject({ message: v.looseObject({ parts: v.array(EnvelopePart) }) });

/** The error for any request that the codecs cannot read, whatever error they throw. */
export const unreadable = () => new RequestMalformedError("the parameters cannot be read");

/** @throws RequestMalformedError for a request that the codecs cannot read */
export function readRequest(body: unknown): SendMessageRequest {
  try {
    return SendMessageRequest.fromJSON(body);
  } catch (error) {
    if (error instanceof TypeError) throw unreadable();
    throw error;
  }
}
