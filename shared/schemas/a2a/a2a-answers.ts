import * as v from "valibot";
import { nullFor } from "../values/described-as.ts";
import { ErrorBody } from "../values/error-body.ts";

/** An answer in the official protocol: its members depend on the version, see docs/a2a.md. */
export const A2aAnswer = v.record(v.string(), v.unknown());

/** A card of an agent. */
export const AgentCardAnswer = v.looseObject({
  name: v.string(),
  description: v.string(),
  version: v.string(),
  skills: v.array(v.looseObject({ id: v.string(), name: v.string() })),
});

/** The public keys of cards. @source RFC 7517, "JWK Set"; RFC 7518, section 6, and RFC 8037 for the members of each type */
export const CardKeySet = v.object({
  keys: v.array(
    v.object({
      kty: v.picklist(["EC", "RSA", "OKP"]),
      kid: v.string(),
      alg: v.string(),
      use: v.literal("sig"),
      crv: v.optional(v.string()),
      x: v.optional(v.string()),
      y: v.optional(v.string()),
      n: v.optional(v.string()),
      e: v.optional(v.string()),
    }),
  ),
});

const ProtocolError = v.object({
  code: v.number(),
  status: v.string(),
  message: v.string(),
  details: v.array(v.record(v.string(), v.unknown())),
});

/** A refusal of JSON-RPC when no call could be read, so that no answer with 200 is possible. */
const CallRefusal = v.object({
  jsonrpc: v.literal("2.0"),
  id: nullFor({ type: "string" }),
  error: v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) }),
});

/**
 * The body of a refusal: that of version 1.0, with the members of the common body if the refusal is ours; that of
 * version 0.3; that of JSON-RPC; or only the common body.
 */
export const A2aRefusal = v.union([
  v.object({ ...v.partial(ErrorBody).entries, error: ProtocolError }),
  v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) }),
  CallRefusal,
  ErrorBody,
]);
