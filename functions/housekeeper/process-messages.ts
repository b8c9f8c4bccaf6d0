import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import * as v from "valibot";
import { type CheckLocksDeps, checkLocks } from "../../shared/engine/lifecycle/check-locks.ts";
import { DeadLetterMessage } from "../../shared/queue/lock-check-queue.ts";
import { MigrationMessage } from "../../shared/queue/migration-queue.ts";
import { RemovalMessage, UserRemovalMessage } from "../../shared/queue/removal-queue.ts";
import { type DeadLetterDeps, failDeadLetter } from "./fail-dead-letter.ts";
import { type MigratorDeps, migrateSlice } from "./migrations/migrate-slice.ts";
import { removeSession } from "./removals/remove-session.ts";
import { removeUserData, type UserRemoverDeps } from "./removals/remove-user-data.ts";

export type HousekeeperDeps = CheckLocksDeps & DeadLetterDeps & UserRemoverDeps & MigratorDeps;

/** What a message is about. All of them are wake-ups: the truth is in a record. */
const Message = v.union([DeadLetterMessage, RemovalMessage, UserRemovalMessage, MigrationMessage]);
type Message = v.InferOutput<typeof Message>;

/**
 * How long a process may have a session or a database to itself. One that dies keeps it for so long: much less than a function lives.
 */
const REMOVAL_MS = 300_000;
const MIGRATION_MS = 120_000;

/** A kind of message. Those of one kind are taken one after the other, and kinds side by side: none waits for another's. */
type Kind = "jobs" | "removals" | "migrations";
type Task = { readonly kind: Kind; readonly take: (deps: HousekeeperDeps, lifeMs: number) => Promise<void> };

function taskOf(message: Message): Task {
  if ("session_id" in message)
    return {
      kind: "removals",
      take: (deps, lifeMs) => removeSession(deps, message, Math.min(lifeMs, REMOVAL_MS)),
    };
  if ("removed_user_id" in message)
    return {
      kind: "removals",
      take: (deps, lifeMs) => removeUserData(deps, message, Math.min(lifeMs, REMOVAL_MS)),
    };
  if ("db_id" in message)
    return {
      kind: "migrations",
      take: (deps, lifeMs) => migrateSlice(deps, message.db_id, Math.min(lifeMs, MIGRATION_MS)),
    };
  return { kind: "jobs", take: (deps) => lookAfterJobs(deps, message) };
}

/**
 * Turns messages that no worker could finish into failed jobs, so that the job list is the only dead-letter list; and
 * checks the locks when a check is due, which recovers the jobs of dead workers.
 */
async function lookAfterJobs(deps: HousekeeperDeps, message: DeadLetterMessage): Promise<void> {
  if ("job_id" in message) return failDeadLetter(deps, message.job_id);
  const recovered = await checkLocks(deps);
  if (Object.values(recovered).some((n) => n > 0)) deps.log.info("jobs of silent workers", recovered);
}

/** Takes the messages of a batch; what failed comes back as a message. @param lifeMs how long this process will live */
export async function processMessages(
  deps: HousekeeperDeps,
  records: readonly Pick<SQSRecord, "body" | "messageId">[],
  lifeMs: number,
): Promise<SQSBatchResponse> {
  const until = deps.clock.now() + lifeMs;
  const failed: string[] = [];
  const fail = (message_id: string, error: unknown) => {
    deps.log.error("a message could not be processed", { message_id, error });
    failed.push(message_id);
  };
  const tasks = records.flatMap(({ body, messageId }) => {
    try {
      return [{ messageId, ...taskOf(v.parse(Message, JSON.parse(body))) }];
    } catch (error) {
      fail(messageId, error);
      return [];
    }
  });
  const kinds = Map.groupBy(tasks, ({ kind }) => kind);
  await Promise.all(
    [...kinds.values()].map(async (ofKind) => {
      for (const { messageId, take } of ofKind)
        await take(deps, until - deps.clock.now()).catch((error: unknown) => fail(messageId, error));
    }),
  );
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
