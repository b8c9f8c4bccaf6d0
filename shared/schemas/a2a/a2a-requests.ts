import * as v from "valibot";
import { MessageEnvelope } from "./a2a-envelope.ts";
import { LegacyMessage } from "./a2a-legacy.ts";

/**
 * Requests of other agents, for the interface description. The A2A handlers distinguish the dialects and parse them: the
 * bodies of version 1.0 by the codecs of its SDK, the others by their schemas.
 *
 * @source docs/interface/a2a.md 2.2
 */
const json = v.record(v.string(), v.unknown());
const described = {
  mediaType: v.optional(v.string()),
  filename: v.optional(v.string()),
  metadata: v.optional(json),
};
const CurrentPart = v.union([
  v.object({ text: v.string(), ...described }),
  v.object({ url: v.string(), ...described }),
  v.object({ raw: v.string(), ...described }),
  v.object({ data: v.unknown(), ...described }),
]);

const CurrentMessage = v.object({
  message: v.object({
    messageId: v.pipe(v.string(), v.minLength(1)),
    role: v.literal("ROLE_USER"),
    parts: v.pipe(v.array(CurrentPart), v.minLength(1)),
    contextId: v.optional(v.string()),
    taskId: v.optional(v.string()),
    metadata: v.nullish(json),
    extensions: v.optional(v.array(v.string())),
    referenceTaskIds: v.optional(v.array(v.string())),
  }),
  configuration: v.nullish(
    v.object({
      acceptedOutputModes: v.optional(v.array(v.string())),
      returnImmediately: v.optional(v.boolean()),
      historyLength: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
  ),
  metadata: v.nullish(json),
});

/** A message in any dialect: version 1.0, the HTTP binding of 0.3, or the envelope. */
export const A2aMessage = v.union([CurrentMessage, LegacyMessage, MessageEnvelope]);

/** A call of JSON-RPC; its parameters depend on its method, see docs/a2a.md. */
export const A2aCall = v.object({
  jsonrpc: v.literal("2.0"),
  id: v.optional(v.union([v.string(), v.pipe(v.number(), v.integer()), v.null()])),
  method: v.pipe(v.string(), v.minLength(1)),
  params: v.optional(json),
});

/** An optional body for routes with a task's id in the path; some clients send null. */
export const A2aTaskRequest = v.nullish(v.looseObject({ metadata: v.optional(json) }));

/** Where a client wants push notifications. */
export const A2aPushConfig = v.looseObject({
  id: v.optional(v.string()),
  url: v.optional(v.string()),
  token: v.optional(v.string()),
  authentication: v.optional(json),
  /** The same in version 0.3. */
  pushNotificationConfig: v.optional(json),
});
