import { setTimeout as pause } from "node:timers/promises";
import type { Platform } from "../../local/platform.ts";

const LOOK_EVERY_MS = 20;

/** Waits until no queue that feeds a function holds a message, waiting, delayed or in work. */
export async function untilQuiet({ model, sqs }: Pick<Platform, "model" | "sqs">): Promise<void> {
  const queues = model.eventSources.map(({ queueName }) => sqs.queue(queueName));
  const held = () =>
    queues.some(
      (queue) => queue.messages.length + queue.delayedMessages.length + queue.inflightMessages.size > 0,
    );
  while (held()) await pause(LOOK_EVERY_MS);
}
