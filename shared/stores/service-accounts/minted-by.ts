import { subjectOfAccount } from "../../schemas/access/account-user-id.ts";
import type { StoredAccount } from "./account-item.ts";

/** The accounts that an account has minted, and those that they have, at every level, each before what it has minted. */
export function mintedBy(
  { id, name }: Pick<StoredAccount, "id" | "name">,
  all: readonly StoredAccount[],
): StoredAccount[] {
  const found: StoredAccount[] = [];
  const seen = new Set([id]);
  let minters = new Set([subjectOfAccount(name)]);
  while (minters.size > 0) {
    const isBelow = (account: StoredAccount) =>
      !seen.has(account.id) &&
      [account.user_id, account.created_by].some((by) => by !== undefined && minters.has(by));
    const below = all.filter(isBelow);
    for (const account of below) seen.add(account.id);
    found.push(...below);
    minters = new Set(below.map((account) => subjectOfAccount(account.name)));
  }
  return found;
}
