import { callerOf } from "../../shared/auth/caller.ts";
import { revokedOwner } from "../../shared/auth/schedules/owner-refusal.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { serviceAccountRoutes } from "../../shared/routes/service-accounts.ts";
import { auditDisabled } from "../../shared/runtime/audit-disabled.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { subjectOfAccount } from "../../shared/schemas/access/account-user-id.ts";
import type { Db } from "../../shared/stores/db.ts";
import { disableSchedulesOfOwner } from "../../shared/stores/schedules/index.ts";
import {
  findName,
  getAccount,
  listAccounts,
  type StoredAccount,
} from "../../shared/stores/service-accounts/account-item.ts";
import { revokeAccount } from "../../shared/stores/service-accounts/mint-account.ts";
import { mintedBy } from "../../shared/stores/service-accounts/minted-by.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";

type Needs = Pick<ServiceAccountsDeps, "db" | "clock" | "log">;

/**
 * Revokes an account for good. Its token is refused by the next check that looks it up, at the latest after the time
 * for which valid tokens are cached. Its schedules are disabled, with the reason, and the same happens to what it has minted,
 * at every level. If that breaks off, a repeated request continues with it.
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
  const minted = mintedBy(account, await listAccounts(db)).filter(
    ({ revoked_at }) => revoked_at === undefined,
  );
  for (const one of minted) {
    await revokeAccount(db, one, now);
    await disableSchedules(db, subjectOfAccount(one.name), now, log);
    log.info("audit", {
      operation: "revokeServiceAccount",
      principal: principal.user_id,
      target: { account_id: one.id },
      because_of: account.id,
    });
  }
  if (minted.length === 0) return undefined;
  return new Reply(200, { also_revoked: minted.map(({ id, name }) => ({ id, name })) });
};

/** Another account has the name now, and with it the schedules. */
const isMintedAgain = async (db: Db, { id, name }: StoredAccount): Promise<boolean> =>
  (await findName(db, name))?.account_id !== id;

async function disableSchedules(db: Db, owner: string, now: number, log: ServiceAccountsDeps["log"]) {
  const { reason } = revokedOwner(owner);
  const disabled = await disableSchedulesOfOwner(db, owner, reason, now);
  for (const { id } of disabled) auditDisabled(log, { schedule_id: id, owner, reason });
}
