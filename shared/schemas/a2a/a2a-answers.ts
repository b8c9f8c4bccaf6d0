import * as v from "valibot";
import { ErrorBody } from "../values/error-body.ts";

/** What the official protocol answers: which members there are depends on its version, see docs/a2a.md. */
export const A2aAnswer = v.record(v.string(), v.unknown());

/** A card of an agent. @source contract, a2a section 7 */
export const AgentCardAnswer = v.looseObject({
  name: v.string(),
  description: v.string(),
  version: v.string(),
  skills: v.array(v.looseObject({ id: v.string(), name: v.string() })),
});

const ProtocolError = v.object({
  code: v.number(),
  status: v.string(),
  message: v.string(),
  details: v.array(v.record(v.string(), v.unknown())),
});

/** Of JSON-RPC, where no call was read that an answer in a 200 could belong to. */
const CallRefusal = v.object({
  jsonrpc: v.literal("2.0"),
  id: v.null(),
  error: v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) }),
});

/**
 * How it refuses: in the words of version 1.0, where they are ours with the common body besides; in those of version 0.3;
 * in those of JSON-RPC; or in the common body alone.
 *
 * @source contract, a2a sections 4 and 8.6
 */
export const A2aRefusal = v.union([
  v.object({ ...v.partial(ErrorBody).entries, error: ProtocolError }),
  v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) }),
  CallRefusal,
  ErrorBody,
]);
