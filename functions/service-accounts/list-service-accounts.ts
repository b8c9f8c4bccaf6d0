import { type Caller, callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { serviceAccountRoutes } from "../../shared/routes/service-accounts.ts";
import {
  type ServiceAccount,
  type ServiceAccountSortField,
  serviceAccountSortFields,
} from "../../shared/schemas/access/service-account.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listAccounts, type StoredAccount } from "../../shared/stores/service-accounts/account-item.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";
import { wireAccount } from "./wire-account.ts";

type Needs = Pick<ServiceAccountsDeps, "db" | "clock">;

/** @source docs/interface/service-accounts.md 3.1 */
export const listServiceAccounts: Handler<typeof serviceAccountRoutes.listServiceAccounts, Needs> = async (
  { query, principal },
  { db, clock },
) => {
  const { page, limit } = query;
  const caller = callerOf(principal);
  const startedAt = clock.now();
  const found = (await listAccounts(db))
    .filter((account) => isVisible(account, caller))
    .filter(({ revoked_at }) => query.include_revoked || revoked_at === undefined)
    .map(wireAccount)
    .sort(byField(sortFieldOf(query.sort_by), query.sort_order === "asc"));
  return {
    data: found.slice((page - 1) * limit, page * limit),
    meta: pageMeta(page, limit, found.length, clock.now() - startedAt),
  };
};

/** One's own, and those that are unowned. */
const isVisible = ({ user_id }: StoredAccount, caller: Caller): boolean =>
  caller.seesAll || user_id === undefined || user_id === caller.user_id;

const sortFieldOf = (name: string): ServiceAccountSortField =>
  serviceAccountSortFields.find((field) => field === name) ?? "created_at";

/** What is not set comes first when ascending; accounts that are equal in the field are ordered by their id. */
function byField(field: ServiceAccountSortField, ascending: boolean) {
  const direction = ascending ? 1 : -1;
  return (one: ServiceAccount, other: ServiceAccount): number =>
    direction * (compare(one[field] ?? 0, other[field] ?? 0) || compare(one.id, other.id));
}

function compare<T extends string | number>(one: T, other: T): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
