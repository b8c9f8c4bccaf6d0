import * as v from "valibot";

/** Header with which CloudFront proves to its origins that a request came through it. It replaces a client's own. */
export const EDGE_HEADER = "x-origin-secret";

/** Header with the host that the client asked for; the origins see only their own. Set by CloudFront too. */
export const EDGE_HOST_HEADER = "x-forwarded-host";

/**
 * Header with the address of the client, as CloudFront saw it; what a client sends under this name is replaced. It counts
 * only in a request that proves itself with the secret: anybody can write it in others.
 */
export const EDGE_VIEWER_HEADER = "x-viewer-address";

const Value = v.pipe(v.string(), v.minLength(20));

/** The secret's text, JSON. During a rotation the value that CloudFront sent before is accepted too. */
export const EdgeSecretText = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ current: Value, previous: v.optional(Value) }),
);
export type EdgeSecret = v.InferOutput<typeof EdgeSecretText>;
