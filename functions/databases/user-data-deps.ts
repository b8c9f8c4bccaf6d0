import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { UserRemovalQueue } from "../../shared/queue/removal-queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { UserData } from "../../shared/schemas/databases/user-data.ts";
import {
  allCounts,
  countUserData,
  type StoredUserRemoval,
  wireUserRemoval,
} from "../../shared/stores/users/index.ts";

export type UserDataDeps = Pick<MigrationDeps, "db" | "clock" | "log"> & {
  readonly userRemovals: UserRemovalQueue;
  /** Ids of the knowledge bases. */
  readonly bases: readonly string[];
};

/** What there is of a user, and how its removal stands. */
export async function wireUserData(
  { db, clock, bases }: UserDataDeps,
  user_id: string,
  removal: StoredUserRemoval | undefined,
): Promise<UserData> {
  const found = await countUserData({ db, user_id, bases, now: epochSeconds(clock) });
  return { user_id, found: allCounts(found), removal: removal ? wireUserRemoval(removal) : null };
}
