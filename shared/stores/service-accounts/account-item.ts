import * as v from "valibot";
import type { Item } from "../../data/item.ts";

/** Version of the stored shapes; raised with every change of one. */
export const SERVICE_ACCOUNT_SHAPE = 2;
export const SERVICE_ACCOUNT_NAME_SHAPE = 4;

/** A service account as it is stored. Instants are epoch seconds; what is not set is absent. */
export const StoredAccount = v.object({
  id: v.string(),
  name: v.string(),
  user_id: v.optional(v.string()),
  created_by: v.optional(v.string()),
  token_hash: v.string(),
  token_prefix: v.string(),
  scopes: v.array(v.string()),
  /** What its runs may spend in a day, in addition to the limits of its owner. Tokens and dollars. */
  daily_tokens: v.optional(v.number()),
  daily_cost: v.optional(v.number()),
  created_at: v.number(),
  /** `expires_at` on the wire; under that name the table would delete the account. */
  valid_until: v.optional(v.number()),
  last_used_at: v.optional(v.number()),
  revoked_at: v.optional(v.number()),
});
export type StoredAccount = v.InferOutput<typeof StoredAccount>;

/** What validating a token reads: the parts of an account that never change, and whether it was revoked. */
export const StoredToken = v.object({
  account_id: v.string(),
  name: v.string(),
  scopes: v.array(v.string()),
  valid_until: v.optional(v.number()),
  revoked_at: v.optional(v.number()),
});
export type StoredToken = v.InferOutput<typeof StoredToken>;

/**
 * The account that has a name, or had it last, with what decides whether its schedules may go on, and what its runs may
 * spend. Names of earlier shapes than 3 say neither whose they are nor what their account may do; their account says it.
 */
export const StoredName = v.object({
  account_id: v.string(),
  /** Who first had the name; null if it was unowned. */
  owner: v.optional(v.nullable(v.string())),
  scopes: v.optional(v.array(v.string())),
  daily_tokens: v.optional(v.number()),
  daily_cost: v.optional(v.number()),
  valid_until: v.optional(v.number()),
  revoked_at: v.optional(v.number()),
});
export type StoredName = v.InferOutput<typeof StoredName>;

export const ACCOUNTS = "accounts";
export const accountKey = (id: string) => ({ pk: ACCOUNTS, sk: id });
export const tokenKey = (hash: string) => ({ pk: `token#${hash}`, sk: "token" });
export const nameKey = (name: string) => ({ pk: `name#${name}`, sk: "name" });

export const accountItem = (account: StoredAccount): Item => ({
  ...accountKey(account.id),
  ...account,
  shape: SERVICE_ACCOUNT_SHAPE,
});

export const tokenItem = ({ id, token_hash, name, scopes, valid_until }: StoredAccount): Item => ({
  ...tokenKey(token_hash),
  account_id: id,
  name,
  scopes,
  valid_until,
  shape: SERVICE_ACCOUNT_SHAPE,
});

export const nameItem = ({
  id,
  name,
  user_id,
  scopes,
  daily_tokens,
  daily_cost,
  valid_until,
}: StoredAccount): Item => ({
  ...nameKey(name),
  account_id: id,
  owner: user_id ?? null,
  scopes,
  daily_tokens,
  daily_cost,
  valid_until,
  shape: SERVICE_ACCOUNT_NAME_SHAPE,
});

export const accountFrom = (item: Item): StoredAccount => v.parse(StoredAccount, item);
export const nameFrom = (item: Item): StoredName => v.parse(StoredName, item);
export const tokenFrom = (item: Item): StoredToken => v.parse(StoredToken, item);
