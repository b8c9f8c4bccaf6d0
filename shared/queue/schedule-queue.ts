import * as v from "valibot";
import { ScheduleMessage } from "../schemas/schedules/schedule.ts";
import { ScheduleRunRef } from "../schemas/schedules/schedule-run.ts";
import { connectSqs } from "./connect-sqs.ts";

/** A slot that is due, as the scheduler sends it; or a wake-up for one attempt: ids only, the record is the truth. */
export const ScheduleQueueMessage = v.union([ScheduleRunRef, ScheduleMessage]);

export type ScheduleQueue = {
  /** @param delaySeconds  at most 900, SQS's limit */
  readonly wake: (ref: ScheduleRunRef, delaySeconds?: number) => Promise<void>;
};

/** The queue of slots and of attempts to process. A lost or duplicate wake-up does no harm. */
export function connectScheduleQueue(queueUrl: string): ScheduleQueue {
  const sqs = connectSqs();
  return {
    async wake({ schedule_id, schedule_run_id }, delaySeconds = 0) {
      const { sdk, client } = await sqs();
      await client.send(
        new sdk.SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify({ schedule_id, schedule_run_id } satisfies ScheduleRunRef),
          ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
        }),
      );
    },
  };
}
