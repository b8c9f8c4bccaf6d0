import type { UserRemovalMessage, UserRemovalQueue } from "../../../shared/queue/removal-queue.ts";
import { type Actor, inAuditScope } from "../../../shared/runtime/audit-scope.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { Meter } from "../../../shared/runtime/metrics/meter.ts";
import { userDataKinds } from "../../../shared/schemas/databases/user-data.ts";
import { hasTombstones } from "../../../shared/stores/sessions/tombstone.ts";
import {
  type DataOfUser,
  endPass,
  hasPurges,
  type StoredUserRemoval,
  userData,
  userRemovalWork,
} from "../../../shared/stores/users/index.ts";
import { type Leased, runWork } from "../../../shared/work/index.ts";
import type { RemoverDeps } from "./remover-deps.ts";

export type UserRemoverDeps = RemoverDeps & {
  readonly userRemovals: UserRemovalQueue;
  /** Ids of the knowledge bases. */
  readonly bases: readonly string[];
  readonly newWorkerId: () => string;
  readonly meter?: Meter;
};

/** Time reserved at the end of the function's life for the page that is being removed. */
const ENDING_MS = 20_000;

/**
 * Removes everything of a user, as far as one function's life reaches. It may be called again at any time: what is removed is not
 * found again, so a pass that breaks off loses nothing but its count.
 *
 *   record: removing ──claim──▶ pass over every kind ──▶ nothing was left, nothing is being removed or purged ──▶ record: completed
 *                                    └ something was, or time is up: the next pass in some seconds
 *
 * @param remainingMs  how long this process will live
 */
export async function removeUserData(
  deps: UserRemoverDeps,
  { removed_user_id }: UserRemovalMessage,
  remainingMs: number,
): Promise<void> {
  const until = deps.clock.now() + remainingMs - ENDING_MS;
  await runWork(userRemovalWork, deps, removed_user_id, {
    idle: () => undefined,
    exhausted: async () => undefined,
    work: (leased) => inAuditScope({ actor: actorOf(leased.record) }, () => makePass(deps, leased, until)),
  });
}

/** Every record of the audit names who has asked. */
const actorOf = ({ requested_by }: StoredUserRemoval): Actor => ({
  ...{ principal: requested_by, principal_kind: "platform", protocol: "platform" },
  ...{ address: null, request_id: null, operation: "removeUserData", arguments_digest: null },
});

/** @param until epoch milliseconds at which no further page is removed */
async function makePass(
  deps: UserRemoverDeps,
  { record, worker, isLost }: Leased<StoredUserRemoval>,
  until: number,
): Promise<void> {
  const { db, clock, bases, removals, log } = deps;
  const { user_id } = record;
  const of = { db, user_id, bases, now: epochSeconds(clock) };
  let removed = record.removed;
  let foundNothing = true;
  for await (const [kind, count] of pagesOf(of, removals)) {
    foundNothing = false;
    removed = { ...removed, [kind]: (removed[kind] ?? 0) + count };
    if (isLost() || clock.now() >= until) break;
    const set = { removed, updated_at: epochSeconds(clock) };
    await userRemovalWork.write(db, user_id, worker, { set });
  }
  const isOver = foundNothing && !(await hasTombstones(db, user_id)) && !(await hasPurges(of));
  const next = await endPass(db, { ...record, removed }, worker, isOver, epochSeconds(clock));
  if (next === undefined) return log.info("everything of a user is removed", { removed });
  const queue = deps.userRemovals;
  await userRemovalWork.wake({ queue, log }, { removed_user_id: user_id }, next);
}

/** Every page of every kind, as it is removed. @yields how many of which kind */
async function* pagesOf(of: DataOfUser, removals: RemoverDeps["removals"]) {
  for (const kind of userDataKinds)
    for await (const count of userData[kind].remove(of, removals)) yield [kind, count] as const;
}
