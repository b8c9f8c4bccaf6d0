import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import * as v from "valibot";
import type { SigningRoots } from "./signing-keys.ts";

const Sealed = v.tuple([v.string(), v.string(), v.string(), v.nullable(v.string()), v.number()]);

/** What a link lets its holder do: say something under one key about one run, in one name. */
export type FeedbackLink = {
  readonly run_id: string;
  readonly session_id: string;
  readonly key: string;
  readonly author: string | null;
  /** Epoch seconds. */
  readonly expires_at: number;
};

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** What the key is for: a link is taken for nothing else. */
const PURPOSE = "feedback-link/1";

const keyOf = (root: string): Buffer => createHmac("sha256", root).update(PURPOSE).digest();

/** A link's token: nothing in it can be read or changed without the instance's secret. */
export function sealLink([root]: SigningRoots, link: FeedbackLink): string {
  const { run_id, session_id, key, author, expires_at } = link;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(root), iv).setAAD(Buffer.from(PURPOSE));
  const text = JSON.stringify([run_id, session_id, key, author, expires_at]);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
}

/** What a token says; undefined for one that this instance has not made. It may have expired. */
export function openLink(roots: SigningRoots, token: string): FeedbackLink | undefined {
  const bytes = Buffer.from(token, "base64url");
  // One text for each token: a changed last character may stand for the same bytes.
  if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString("base64url") !== token) return undefined;
  for (const root of roots) {
    const text = opened(root, bytes);
    if (text === undefined) continue;
    const [run_id, session_id, key, author, expires_at] = v.parse(Sealed, JSON.parse(text));
    return { run_id, session_id, key, author, expires_at };
  }
  return undefined;
}

function opened(root: string, bytes: Buffer): string | undefined {
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, keyOf(root), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(PURPOSE))
    .setAuthTag(bytes.subarray(end));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, end)), decipher.final()]).toString("utf8");
  } catch {
    // Sealed with another key, or changed since.
    return undefined;
  }
}
