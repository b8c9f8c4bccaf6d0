import { callerOf } from "../../shared/auth/caller.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { serviceAccountRoutes } from "../../shared/routes/service-accounts.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getAccount } from "../../shared/stores/service-accounts/get-account.ts";
import { revokeAccount } from "../../shared/stores/service-accounts/revoke-account.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";

type Needs = Pick<ServiceAccountsDeps, "db" | "clock">;

/**
 * Revokes an account for good. Its token is refused by the next check that looks it up, at the latest after the time
 * for which valid tokens are cached.
 *
 * @source contract, approvals-and-service-accounts B1 and B4
 */
export const revokeServiceAccount: Handler<typeof serviceAccountRoutes.revokeServiceAccount, Needs> = async (
  { params, principal },
  { db, clock },
) => {
  const account = await getAccount(db, params.account_id);
  const caller = callerOf(principal);
  const isForeign = !caller.seesAll && account?.user_id !== undefined && account.user_id !== caller.user_id;
  if (!account || isForeign) throw notFound("service account", params.account_id);
  if (!caller.seesAll && account.user_id === undefined) {
    throw new ServiceError("FORBIDDEN", "an account that belongs to nobody is revoked by an admin");
  }
  if (account.revoked_at === undefined) await revokeAccount(db, account, epochSeconds(clock));
  return undefined;
};
