import { type Message, Role, type SendMessageRequest } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import * as v from "valibot";
import { SessionId } from "../schemas/sessions/session-id.ts";
import { issueText } from "../schemas/values/issue-text.ts";
import { SentLegacyMessage, SentMessage } from "./sent-message.ts";

/** Parameters as they came, by JSON-RPC or, of version 1.0, by HTTP. */
export type Sent = { readonly version: "1.0" | "0.3"; readonly params: unknown };

const contents = ["text", "raw", "url", "data"] as const;

/**
 * Validates the message of a request, because the protocol's own codecs are lenient.
 *
 * @param sent  the request as received, by the schema of its version: the codecs drop all but the first content of a part
 * @throws RequestMalformedError naming what is wrong with it
 * @source docs/interface/a2a.md 5.1
 */
export function requireMessage({ message }: SendMessageRequest, sent?: Sent): Message {
  if (!message) throw new RequestMalformedError("message is required");
  if (message.messageId === "") throw new RequestMalformedError("message.messageId is required");
  if (message.role !== Role.ROLE_USER) throw new RequestMalformedError("message.role must be ROLE_USER");
  if (message.parts.length === 0) throw new RequestMalformedError("message.parts must not be empty");
  const bare = message.parts.findIndex(({ content }) => content === undefined);
  if (bare >= 0) throw new RequestMalformedError(`message.parts[${bare}] has no content`);
  if (sent === undefined) return message;
  if (sent.version === "0.3") {
    read(SentLegacyMessage, sent.params);
    return message;
  }
  const { parts } = read(SentMessage, sent.params).message;
  const double = parts?.findIndex((part) => contents.filter((name) => part[name] != null).length > 1) ?? -1;
  if (double >= 0) throw new RequestMalformedError(`message.parts[${double}] has more than one content`);
  return message;
}

function read<S extends v.GenericSchema>(schema: S, params: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, params);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new RequestMalformedError(issueText(issue, "message"));
}

/** @throws RequestMalformedError for an invalid context id */
export function requireContext(contextId: string): string {
  if (v.is(SessionId, contextId)) return contextId;
  throw new RequestMalformedError("contextId is too long: it may have 255 characters");
}

/** @throws RequestMalformedError for an invalid number of messages */
export function requireHistoryLength(length: number | undefined): number | undefined {
  if (length === undefined || (Number.isInteger(length) && length >= 0)) return length;
  throw new RequestMalformedError("historyLength must be a whole number of 0 or more");
}
