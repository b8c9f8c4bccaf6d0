import type { LockCheckMessage } from "./dead-letter-message.ts";
import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";

/** Longest delay that SQS accepts. */
export const MAX_CHECK_DELAY_SECONDS = 900;

export type LockCheckQueue = MessageQueue<LockCheckMessage>;

/**
 * The queue of lock checks: the dead-letter queue of the run queue, which is empty otherwise, so that a check never
 * waits behind runs. A lost, late or duplicate check does no harm: the jobs are the truth, and the sweeper looks too.
 */
export const connectLockCheckQueue = (deadLetterQueueUrl: string): LockCheckQueue =>
  connectMessageQueue(deadLetterQueueUrl);
