import { type OwnerRefusal, ownerRefusal } from "../auth/schedules/owner-refusal.ts";
import { runTarget } from "../domain/schedules/run-target.ts";
import { type Clock, epochSeconds } from "../runtime/clock.ts";
import { accountNameOf } from "../schemas/access/account-user-id.ts";
import type { Db } from "../stores/db.ts";
import type { StoredSchedule } from "../stores/schedules/index.ts";
import { findName } from "../stores/service-accounts/account-item.ts";

type Owned = Pick<StoredSchedule, "user_id" | "method" | "endpoint">;

/** Why the owner of a schedule may not make its call any more; undefined when it may, or where it cannot be known. */
export type OwnerRefusalOf = (schedule: Owned) => Promise<OwnerRefusal | undefined>;

type Needs = { readonly db: Db; readonly adminScope: string; readonly clock: Clock };

/**
 * Makes the function that asks. It reads one item, and only for schedules of service accounts: users' tokens are their
 * issuer's, and nothing here learns that one was withdrawn.
 */
export const ownerRefusalIn =
  ({ db, adminScope, clock }: Needs): OwnerRefusalOf =>
  async ({ user_id, method, endpoint }) => {
    const name = user_id === null ? undefined : accountNameOf(user_id);
    if (user_id === null || name === undefined) return undefined;
    const account = await findName(db, name);
    const now = epochSeconds(clock);
    return ownerRefusal(user_id, account, runTarget(method, endpoint), { adminScope, now });
  };
