import * as v from "valibot";
import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";

/** Names an evaluation to execute, or a removed one to purge. Its record is the truth. */
export const EvalMessage = v.object({ eval_id: v.string() });
export type EvalMessage = v.InferOutput<typeof EvalMessage>;

export type EvalQueue = MessageQueue<EvalMessage>;

/** The queue of evaluations that are under way. A lost or duplicate message does no harm. */
export const connectEvalQueue = (queueUrl: string): EvalQueue => connectMessageQueue(queueUrl);
