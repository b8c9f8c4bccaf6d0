import * as v from "valibot";
import { RunMessage } from "./run-message.ts";

/** Asks for a look at all locks. It names no job: which lock is stale is read when it arrives. */
export const LockCheckMessage = v.object({ check: v.literal("locks") });
export type LockCheckMessage = v.InferOutput<typeof LockCheckMessage>;

/** What the dead-letter queue carries: a check of the locks, or the message of a run that no worker could finish. */
export const DeadLetterMessage = v.union([LockCheckMessage, RunMessage]);
export type DeadLetterMessage = v.InferOutput<typeof DeadLetterMessage>;
