import { setTimeout as pause } from "node:timers/promises";
import type { Platform } from "../../local/platform.ts";

const POLL_MS = 20;

/** Waits until no queue of an event source has a message that is waiting, delayed or in flight. */
export async function untilQuiet({ model, sqs }: Pick<Platform, "model" | "sqs">): Promise<void> {
  const queues = model.eventSources.map(({ queueName }) => sqs.queue(queueName));
  const hasMessages = () =>
    queues.some(
      (queue) => queue.messages.length + queue.delayedMessages.length + queue.inflightMessages.size > 0,
    );
  while (hasMessages()) await pause(POLL_MS);
}
