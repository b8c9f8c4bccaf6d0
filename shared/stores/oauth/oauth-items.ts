import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";

/** Version of the stored shapes of sign-in; raised with every change of one. */
export const OAUTH_SHAPE = 2;

/** A client that has registered itself. Instants are epoch seconds here and below. */
export const StoredClient = v.object({
  client_id: v.string(),
  name: v.string(),
  redirect_uris: v.array(v.string()),
  created_at: v.number(),
  /** An hour after its registration, unless a user lets it in; later 90 days after the last one did. */
  expires_at: v.number(),
});
export type StoredClient = v.InferOutput<typeof StoredClient>;

/** A code, and what its exchange must prove. */
export const StoredCode = v.object({
  grant_id: v.string(),
  client_id: v.string(),
  redirect_uri: v.string(),
  resource: v.string(),
  code_challenge: v.string(),
  valid_until: v.number(),
  used_at: v.optional(v.number()),
  /** Kept longer than it is valid, so that a second use is seen. */
  expires_at: v.number(),
});
export type StoredCode = v.InferOutput<typeof StoredCode>;

/** What a user has let a client do. Of its tokens there are digests alone. */
export const StoredGrant = v.object({
  id: v.string(),
  user_id: v.string(),
  client_id: v.string(),
  name: v.string(),
  /** Of the document that describes the client. */
  host: v.optional(v.string()),
  goes_to: v.string(),
  resource: v.string(),
  scopes: v.array(v.string()),
  created_at: v.number(),
  valid_until: v.number(),
  expires_at: v.number(),
  revoked_at: v.optional(v.number()),
  last_used_at: v.optional(v.number()),
  /** SHA-256 of the refresh token that is valid, and of the one before it. */
  refresh_hash: v.optional(v.string()),
  previous_hash: v.optional(v.string()),
  rotated_at: v.optional(v.number()),
  /** By which the valid one follows from the one before: whoever repeats a refresh at once gets the same. */
  rotation_salt: v.optional(v.string()),
  /** Refresh token of the issuer, encrypted for the secret of the valid one, or of the code; absent where it is not asked. */
  issuer_token: v.optional(v.string()),
  /** What of `scopes` the user held when the issuer was asked last. */
  held_scopes: v.optional(v.array(v.string())),
  /** Until when a refresh may be asking the issuer; absent while none is. */
  asking_until: v.optional(v.number()),
});
export type StoredGrant = v.InferOutput<typeof StoredGrant>;

/** A token of a client. */
export const StoredAppToken = v.object({
  grant_id: v.string(),
  name: v.string(),
  user_id: v.string(),
  scopes: v.array(v.string()),
  valid_until: v.number(),
  expires_at: v.number(),
});
export type StoredAppToken = v.InferOutput<typeof StoredAppToken>;

export const clientKey = (id: string) => ({ pk: `client#${id}`, sk: "client" });
export const codeKey = (hash: string) => ({ pk: `code#${hash}`, sk: "code" });
export const grantKey = (id: string) => ({ pk: `grant#${id}`, sk: "grant" });
export const appTokenKey = (hash: string) => ({ pk: `app-token#${hash}`, sk: "token" });

/** Partition of a user's grants. A user id may be as long as a key; it is hashed. */
export const grantedPartition = (user_id: string): string =>
  `granted#${createHash("sha256").update(user_id).digest("hex")}`;
export const grantedKey = (user_id: string, id: string) => ({ pk: grantedPartition(user_id), sk: id });

export const newClientId = (random: string): string => `app-${random}`;
/** Whether an id may be of a client that has registered itself. Others are looked up nowhere: an id may be longer than a key. */
export const isClientId = (id: string): boolean => /^app-[0-9a-f]{32}$/.test(id);

const GRANT = "grant-";
export const newGrantId = (random: string): string => `${GRANT}${random}`;
/** Whether an id is of a grant, and not of a service account. */
export const isGrant = (id: string): boolean => id.startsWith(GRANT);

export const clientItem = (client: StoredClient): Item => ({
  ...clientKey(client.client_id),
  ...client,
  shape: OAUTH_SHAPE,
});
export const codeItem = (hash: string, code: StoredCode): Item => ({
  ...codeKey(hash),
  ...code,
  shape: OAUTH_SHAPE,
});
export const grantItem = (grant: StoredGrant): Item => ({
  ...grantKey(grant.id),
  ...grant,
  shape: OAUTH_SHAPE,
});
export const appTokenItem = (hash: string, token: StoredAppToken): Item => ({
  ...appTokenKey(hash),
  ...token,
  shape: OAUTH_SHAPE,
});
