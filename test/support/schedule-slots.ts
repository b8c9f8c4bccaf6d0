import type { TestPlatform } from "./platform.ts";

/** Delivers a slot, as the scheduler does. @param at epoch milliseconds */
export async function deliverSlot(
  platform: TestPlatform,
  scheduleId: string,
  at = Date.now(),
): Promise<void> {
  const scheduled_time = `${new Date(at).toISOString().slice(0, 19)}Z`;
  const url = Object.values(platform.model.functions)
    .map(({ environment }) => environment.SCHEDULE_QUEUE_URL)
    .find((value) => value !== undefined);
  const body = { QueueUrl: url, MessageBody: JSON.stringify({ schedule_id: scheduleId, scheduled_time }) };
  const { status } = await platform.sqs.answer("AmazonSQS.SendMessage", JSON.stringify(body));
  if (status !== 200) throw new Error(`the queue answered ${status}`);
}
