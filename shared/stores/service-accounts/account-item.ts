import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";

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

const ACCOUNTS = "accounts";
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

const accountFrom = (item: Item): StoredAccount => v.parse(StoredAccount, item);
const nameFrom = (item: Item): StoredName => v.parse(StoredName, item);
export const tokenFrom = (item: Item): StoredToken => v.parse(StoredToken, item);

export async function getAccount(db: Db, id: string): Promise<StoredAccount | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key: accountKey(id), ConsistentRead: true }),
  );
  return Item && accountFrom(Item);
}

/** The account that has a name, or had it last, and whose name it is: null if unowned. */
export type NamedAccount = StoredToken &
  Pick<StoredAccount, "daily_tokens" | "daily_cost"> & { readonly owner: string | null };

/** A consistent read; a second one where the name is of an earlier shape than 3. */
export async function findName(db: Db, name: string): Promise<NamedAccount | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key: nameKey(name), ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const { owner, scopes, ...stored } = nameFrom(Item);
  if (owner !== undefined && scopes) return { ...stored, name, owner, scopes };
  const account = await getAccount(db, stored.account_id);
  if (!account) throw new Error(`the service account ${stored.account_id} of a name is missing`);
  return { ...account, account_id: account.id, owner: account.user_id ?? null };
}

/** The query for all accounts. */
export const ofAllAccounts = (db: Db) => ({
  TableName: db.tables.service_accounts,
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": ACCOUNTS },
});

/** All accounts, revoked ones too. People mint them, so they are few enough to read all. */
export async function listAccounts(db: Db): Promise<StoredAccount[]> {
  const accounts: StoredAccount[] = [];
  const pages = queryPages(db, { ...ofAllAccounts(db), ConsistentRead: true });
  for await (const { Items = [] } of pages) accounts.push(...Items.map(accountFrom));
  return accounts;
}
