import * as v from "valibot";
import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";
import { RunMessage } from "./run-queue.ts";

/** Asks for a look at all locks. It names no job: which lock is stale is read when it arrives. */
export const LockCheckMessage = v.object({ check: v.literal("locks") });
export type LockCheckMessage = v.InferOutput<typeof LockCheckMessage>;

/** What the dead-letter queue carries: a check of the locks, or the message of a run that no worker could finish. */
export const DeadLetterMessage = v.union([LockCheckMessage, RunMessage]);
export type DeadLetterMessage = v.InferOutput<typeof DeadLetterMessage>;

/** Longest delay that SQS accepts. */
export const MAX_CHECK_DELAY_SECONDS = 900;

export type LockCheckQueue = MessageQueue<LockCheckMessage>;

/**
 * The queue of lock checks: the dead-letter queue of the run queue, which is empty otherwise, so that a check never
 * waits behind runs. A lost, late or duplicate check does no harm: the jobs are the truth, and the sweeper looks too.
 */
export const connectLockCheckQueue = (deadLetterQueueUrl: string): LockCheckQueue =>
  connectMessageQueue(deadLetterQueueUrl);
