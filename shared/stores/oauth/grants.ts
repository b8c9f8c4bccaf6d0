import * as v from "valibot";
import {
  absent,
  absentOr,
  asSeen,
  below,
  exists,
  isNew,
  putItem,
  transact,
  updateItem,
  write,
} from "../../data/index.ts";
import { auditedChange } from "../audit/audit-item.ts";
import { type Db, queryPages } from "../db.ts";
import { getGrant, getOauthItem } from "./find-app-token.ts";
import {
  appTokenItem,
  codeItem,
  codeKey,
  grantedKey,
  grantedPartition,
  grantItem,
  grantKey,
  OAUTH_SHAPE,
  type StoredAppToken,
  StoredCode,
  type StoredGrant,
} from "./oauth-items.ts";

/** Writes what a user has let a client do, with the code by which it gets its first tokens. */
export async function createGrant(
  db: Db,
  grant: StoredGrant,
  code: { readonly hash: string } & StoredCode,
): Promise<void> {
  const { hash, ...stored } = code;
  const pointer = {
    ...grantedKey(grant.user_id, grant.id),
    grant_id: grant.id,
    expires_at: grant.expires_at,
    shape: OAUTH_SHAPE,
  };
  const result = await transact(db, {
    grant: putItem("service_accounts", grantItem(grant), isNew),
    pointer: putItem("service_accounts", pointer, isNew),
    code: putItem("service_accounts", codeItem(hash, stored), isNew),
    audit: auditedChange(db, { target: { app_id: grant.id, name: grant.name }, after: shownGrant(grant) }),
  });
  if (!result.written) throw new Error("a fresh id of a grant exists already");
}

/** A code, a used one too; undefined for one that is not known. */
export async function getCode(db: Db, hash: string): Promise<StoredCode | undefined> {
  const item = await getOauthItem(db, codeKey(hash));
  return item && v.parse(StoredCode, item);
}

/** Takes a code. @returns false where it was taken before */
export async function takeCode(db: Db, hash: string, now: number): Promise<boolean> {
  const { written } = await write(
    db,
    updateItem("service_accounts", codeKey(hash), {
      set: { used_at: now },
      guard: [exists, { used_at: absent }],
    }),
  );
  return written;
}

/** How a refresh token follows another. */
export type Rotation = {
  /** Digest of the one that was valid; undefined for the first one. */
  readonly from: string | undefined;
  readonly to: string;
  readonly salt?: string;
  readonly now: number;
  /** Encrypted for the secret that is valid from now on. */
  readonly issuer_token?: string;
  readonly held_scopes?: string[];
};

/**
 * Writes a token, and the refresh token that is valid from now on.
 *
 * @param rotation  undefined where the valid one stays
 * @returns         false where the grant has ended, or another refresh token has become the valid one
 */
export async function writeTokens(
  db: Db,
  grantId: string,
  access: { readonly hash: string } & StoredAppToken,
  rotation: Rotation | undefined,
): Promise<boolean> {
  const { hash, ...token } = access;
  const result = await transact(db, {
    grant: updateItem("service_accounts", grantKey(grantId), {
      set: rotation
        ? {
            refresh_hash: rotation.to,
            previous_hash: rotation.from,
            rotated_at: rotation.now,
            rotation_salt: rotation.salt,
            issuer_token: rotation.issuer_token,
            held_scopes: rotation.held_scopes,
            asking_until: undefined,
          }
        : { shape: OAUTH_SHAPE },
      guard: [exists, { revoked_at: absent, ...(rotation && { refresh_hash: asSeen(rotation.from) }) }],
    }),
    token: putItem("service_accounts", appTokenItem(hash, token), isNew),
  });
  return result.written;
}

type Claim = { readonly refresh_hash: string; readonly asking_until: number };

/**
 * Lets a refresh ask the issuer, which only one does at a time.
 *
 * @returns false where another one does, or the grant has gone on
 */
export async function claimAsking(db: Db, id: string, claim: Claim, now: number): Promise<boolean> {
  const { refresh_hash, asking_until } = claim;
  const guard = { revoked_at: absent, refresh_hash, asking_until: absentOr(below(now)) };
  const { written } = await write(
    db,
    updateItem("service_accounts", grantKey(id), { set: { asking_until, shape: OAUTH_SHAPE }, guard }),
  );
  return written;
}

/** Lets the next refresh ask at once. */
export async function releaseAsking(db: Db, id: string, claim: Claim): Promise<void> {
  const key = grantKey(id);
  await write(db, updateItem("service_accounts", key, { remove: ["asking_until"], guard: { ...claim } }));
}

/**
 * Ends a grant: its tokens are refused from the next look-up on. One that has ended stays as it is.
 *
 * @param isAsked  whether a person disconnects the app; else it ends because a token came back, which the log says
 */
export async function endGrant(db: Db, grant: StoredGrant, now: number, isAsked: boolean): Promise<void> {
  const ended = updateItem("service_accounts", grantKey(grant.id), {
    set: { revoked_at: now, issuer_token: undefined, asking_until: undefined },
    guard: [exists, { revoked_at: absent }],
  });
  if (!isAsked) {
    await write(db, ended);
    return;
  }
  await transact(db, {
    grant: ended,
    audit: auditedChange(db, {
      on_behalf_of: grant.user_id,
      target: { app_id: grant.id, name: grant.name },
      before: shownGrant(grant),
      after: { revoked_at: now },
    }),
  });
}

/** What a user has let clients do, as far as that has not ended; the newest first. */
export async function listGrants(db: Db, user_id: string, now: number): Promise<StoredGrant[]> {
  const ids: string[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.service_accounts,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": grantedPartition(user_id) },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) ids.push(...Items.map(({ grant_id }) => String(grant_id)));
  // A person has few of them.
  const grants = await Promise.all(ids.map((id) => getGrant(db, id)));
  return grants
    .filter((grant) => grant !== undefined)
    .filter((grant) => isLive(grant, now))
    .toSorted((one, other) => other.created_at - one.created_at);
}

/** @param now epoch seconds */
export const isLive = (
  { revoked_at, valid_until }: Pick<StoredGrant, "revoked_at" | "valid_until">,
  now: number,
): boolean => revoked_at === undefined && valid_until > now;

/** What the audit shows of a grant: nothing of its tokens. */
const shownGrant = ({
  id,
  user_id,
  client_id,
  name,
  host,
  goes_to,
  scopes,
  valid_until,
}: StoredGrant): object => ({
  ...{ id, user_id, client_id, name, goes_to, scopes, valid_until },
  ...(host !== undefined && { host }),
});
