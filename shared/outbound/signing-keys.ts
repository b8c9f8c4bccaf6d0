import { createHmac } from "node:crypto";
import * as v from "valibot";
import { cachedValue, SECRET_CACHE_MS } from "../runtime/cached-value.ts";
import type { Clock } from "../runtime/clock.ts";
import { readSecret } from "../runtime/secrets/read-secret.ts";

const Value = v.pipe(v.string(), v.minLength(20));

/** The secret's text, JSON. While it is rotated, messages are signed by keys of the former value too. */
const RootText = v.pipe(v.string(), v.parseJson(), v.object({ current: Value, previous: v.optional(Value) }));

/** What every signing key is derived from: the present value and, while it is rotated, the former one. */
export type SigningRoots = readonly [string, ...string[]];

/** Whose key: an endpoint's, or that of the callbacks of a user's runs. */
export type KeyOwner = { readonly endpoint_id: string } | { readonly callbacks_of: string | null };

/** Which of an owner's keys are valid. Each rotation counts one up. */
export type KeyState = {
  readonly generation: number;
  /** Epoch seconds; until then the key before is valid too. */
  readonly previous_until?: number | undefined;
};

/** Reads the instance's secret, once in five minutes. @param secret its name or ARN */
export function connectSigningRoots(secret: string, clock: Pick<Clock, "now">): () => Promise<SigningRoots> {
  const read = async (): Promise<SigningRoots> => {
    const { current, previous } = v.parse(RootText, await readSecret(secret));
    return previous === undefined ? [current] : [current, previous];
  };
  return cachedValue(read, SECRET_CACHE_MS, clock);
}

/**
 * A signing key. It is computed from the instance's secret and stored nowhere, so no table and no backup holds one.
 *
 * @returns 32 bytes
 */
export function signingKey(root: string, owner: KeyOwner, generation: number): Buffer {
  const name =
    "endpoint_id" in owner
      ? ["endpoint", owner.endpoint_id]
      : ["callbacks", owner.callbacks_of === null ? [] : [owner.callbacks_of]];
  return createHmac("sha256", root)
    .update(JSON.stringify([...name, generation]))
    .digest();
}

/** The key as receivers are given it. @source Standard Webhooks, "Signature scheme" */
export const secretText = (key: Buffer): string => `whsec_${key.toString("base64")}`;

/** The secret that an owner is shown: the newest. */
export const newestSecret = ([root]: SigningRoots, owner: KeyOwner, { generation }: KeyState): string =>
  secretText(signingKey(root, owner, generation));

/** Every key that a message is signed with, the newest first. @param now epoch seconds */
export function validKeys(
  roots: SigningRoots,
  owner: KeyOwner,
  { generation, previous_until }: KeyState,
  now: number,
): Buffer[] {
  const generations = [generation, ...((previous_until ?? 0) > now ? [generation - 1] : [])];
  return roots.flatMap((root) => generations.map((one) => signingKey(root, owner, one)));
}
