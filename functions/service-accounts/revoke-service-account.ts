import { callerOf } from "../../shared/auth/caller.ts";
import { revokedOwner } from "../../shared/auth/schedules/owner-refusal.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { serviceAccountRoutes } from "../../shared/routes/service-accounts.ts";
import { auditDisabled } from "../../shared/runtime/audit-disabled.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { subjectOfAccount } from "../../shared/schemas/access/account-user-id.ts";
import type { Db } from "../../shared/stores/db.ts";
import { disableSchedulesOfOwner } from "../../shared/stores/schedules/disable-schedules.ts";
import {
  findName,
  getAccount,
  type StoredAccount,
} from "../../shared/stores/service-accounts/account-item.ts";
import { revokeAccount } from "../../shared/stores/service-accounts/mint-account.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";

type Needs = Pick<ServiceAccountsDeps, "db" | "clock" | "log">;

/**
 * Revokes an account for good. Its token is refused by the next check that looks it up, at the latest after the time
 * for which valid tokens are cached. Its schedules are disabled, with the reason. If that breaks off, a repeated request
 * continues it, and what is left is found at its next firing.
 */
export const revokeServiceAccount: Handler<typeof serviceAccountRoutes.revokeServiceAccount, Needs> = async (
  { params, principal },
  { db, clock, log },
) => {
  const account = await getAccount(db, params.account_id);
  const caller = callerOf(principal);
  const isForeign = !caller.seesAll && account?.user_id !== undefined && account.user_id !== caller.user_id;
  if (!account || isForeign) throw notFound("service account", params.account_id);
  if (!caller.seesAll && account.user_id === undefined) {
    throw new ServiceError("UNAUTHORIZED", "only an admin may revoke an account without an owner");
  }
  const now = epochSeconds(clock);
  if (account.revoked_at === undefined) await revokeAccount(db, account, now);
  else if (await isMintedAgain(db, account)) return undefined;
  await disableSchedules(db, subjectOfAccount(account.name), now, log);
  return undefined;
};

/** Another account has the name now, and with it the schedules. */
const isMintedAgain = async (db: Db, { id, name }: StoredAccount): Promise<boolean> =>
  (await findName(db, name))?.account_id !== id;

async function disableSchedules(db: Db, owner: string, now: number, log: ServiceAccountsDeps["log"]) {
  const { reason } = revokedOwner(owner);
  const disabled = await disableSchedulesOfOwner(db, owner, reason, now);
  for (const { id } of disabled) auditDisabled(log, { schedule_id: id, owner, reason });
}
