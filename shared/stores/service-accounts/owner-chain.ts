import { accountNameOf } from "../../schemas/access/account-user-id.ts";
import type { Db } from "../db.ts";
import { findName, type NamedAccount } from "./account-item.ts";

/** An account may mint accounts, which may mint accounts. */
const MAX_OWNERS = 20;

export type OwnerChain = {
  /** The accounts on the way, by their user ids, from the one that was asked for. */
  readonly accounts: readonly { readonly id: string; readonly account: NamedAccount | undefined }[];
  /** The user at the end; an account without an owner is its own. */
  readonly root: string | null;
};

/**
 * Who stands behind a user id.
 *
 *   sa:nightly ──owned by──▶ sa:ci ──owned by──▶ maria
 */
export async function ownerChain(db: Db, user_id: string | null): Promise<OwnerChain> {
  const accounts: { id: string; account: NamedAccount | undefined }[] = [];
  let root = user_id;
  for (let owners = 0; owners < MAX_OWNERS; owners += 1) {
    const name = root === null ? undefined : accountNameOf(root);
    if (root === null || name === undefined) break;
    const account: NamedAccount | undefined = await findName(db, name);
    accounts.push({ id: root, account });
    if (!account || account.owner === null) break;
    root = account.owner;
  }
  return { accounts, root };
}
