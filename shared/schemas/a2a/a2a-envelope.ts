import * as v from "valibot";
import { Base64 } from "../values/base64.ts";

const json = v.record(v.string(), v.unknown());

const File = v.pipe(
  v.object({
    uri: v.optional(v.string()),
    bytes: v.optional(Base64),
    mimeType: v.nullish(v.string()),
    name: v.nullish(v.string()),
  }),
  v.check(({ uri, bytes }) => (uri === undefined) !== (bytes === undefined), "file has either uri or bytes"),
);

export const EnvelopePart = v.variant("kind", [
  v.object({ kind: v.literal("text"), text: v.string() }),
  v.object({ kind: v.literal("file"), file: File }),
  v.object({ kind: v.literal("data"), data: json }),
]);
export type EnvelopePart = v.InferOutput<typeof EnvelopePart>;

const version = { jsonrpc: v.optional(v.literal("2.0")) };
const Id = v.union([v.string(), v.pipe(v.number(), v.integer())], "id must be a string or a whole number");

/** A message in the envelope dialect. @source docs/interface/a2a.md 4.1 */
export const MessageEnvelope = v.object({
  ...version,
  id: Id,
  method: v.optional(v.string()),
  params: v.object({
    message: v.object({
      messageId: v.string(),
      role: v.literal("user", "params.message.role must be user"),
      parts: v.array(EnvelopePart),
      contextId: v.nullish(v.string()),
      /** Deprecated routes: the agent it is for. */
      agentId: v.nullish(v.string()),
    }),
    configuration: v.nullish(v.object({ blocking: v.nullish(v.boolean()) })),
  }),
});
export type MessageEnvelope = v.InferOutput<typeof MessageEnvelope>;

/** A request for a task in the envelope dialect. */
export const TaskEnvelope = v.object({
  ...version,
  id: v.optional(Id, "unknown"),
  params: v.object({ id: v.string(), contextId: v.nullish(v.string()) }),
});
export type TaskEnvelope = v.InferOutput<typeof TaskEnvelope>;
