import * as v from "valibot";
import { Base64 } from "../values/base64.ts";

const json = v.record(v.string(), v.unknown());
const text = v.optional(v.string(), "");

const File = v.object({
  fileWithUri: v.optional(v.string()),
  fileWithBytes: v.optional(Base64),
  mimeType: v.optional(v.string()),
  name: v.optional(v.string()),
});
const LegacyPart = v.pipe(
  v.object({
    text: v.optional(v.string()),
    file: v.optional(File),
    data: v.optional(v.object({ data: json })),
  }),
  v.check(
    (part) => Object.values(part).filter((one) => one !== undefined).length === 1,
    "a part has one content",
  ),
);
export type LegacyPart = v.InferOutput<typeof LegacyPart>;

const Message = v.object({
  messageId: v.pipe(v.string(), v.nonEmpty("messageId is required")),
  role: v.picklist(["ROLE_USER", "user"], "role must be ROLE_USER"),
  content: v.pipe(v.array(LegacyPart), v.nonEmpty("content must not be empty")),
  contextId: text,
  taskId: text,
});

/** The names of the protocol buffers, which the SDK's own server reads too. */
const spellings = [
  ["message_id", "messageId"],
  ["context_id", "contextId"],
  ["task_id", "taskId"],
] as const;

/** A message in either spelling. Where both are given the one of JSON counts. */
const inOneSpelling = v.transform((message: Readonly<Record<string, unknown>>) => ({
  ...Object.fromEntries(spellings.flatMap(([from, to]) => (from in message ? [[to, message[from]]] : []))),
  ...message,
}));

const optionalText = v.nullish(v.string(), "");

/** Where a client of version 0.3 wants to be notified, in the HTTP binding. */
export const LegacyPush = v.object({
  id: optionalText,
  url: v.string(),
  token: optionalText,
  authentication: v.nullish(
    v.object({ schemes: v.nullish(v.array(v.string()), []), credentials: optionalText }),
  ),
});
export type LegacyPush = v.InferOutput<typeof LegacyPush>;

/** A message by the HTTP binding of version 0.3. @source docs/interface/a2a.md 6.1 */
export const LegacyMessage = v.object({
  message: v.pipe(v.record(v.string(), v.unknown()), inOneSpelling, Message),
  configuration: v.nullish(
    v.object({
      blocking: v.optional(v.boolean(), false),
      historyLength: v.optional(v.number()),
      /** The protocol buffer's name, and that of JSON-RPC. */
      pushNotification: v.optional(LegacyPush),
      pushNotificationConfig: v.optional(LegacyPush),
    }),
  ),
});
