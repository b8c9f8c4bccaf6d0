import type { Platform } from "../../local/platform.ts";

type Slots = Pick<Platform, "model" | "sqs">;

/** The queue that slots come by. */
export function scheduleQueue({ model, sqs }: Slots) {
  const executor = model.eventSources.find(({ function: { label } }) => label.includes("ScheduleExecutor"));
  if (!executor) throw new Error("no executor takes slots");
  return sqs.queue(executor.queueName);
}

/** Delivers a slot, as the scheduler does. @param at epoch milliseconds */
export async function deliverSlot(platform: Slots, scheduleId: string, at = Date.now()): Promise<void> {
  const scheduled_time = `${new Date(at).toISOString().slice(0, 19)}Z`;
  const { url: QueueUrl } = scheduleQueue(platform);
  const body = { QueueUrl, MessageBody: JSON.stringify({ schedule_id: scheduleId, scheduled_time }) };
  const { status } = await platform.sqs.answer("AmazonSQS.SendMessage", JSON.stringify(body));
  if (status !== 200) throw new Error(`the queue answered ${status}`);
}
