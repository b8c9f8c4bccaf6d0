import type { Log } from "../runtime/log.ts";

export type WakeDeps<Message> = {
  readonly queue: { readonly send: (message: Message, delaySeconds?: number) => Promise<void> };
  readonly log: Pick<Log, "warn">;
};

/**
 * Sends the message that wakes a worker. It may fail: the record says that there is work, and the sweeper sends it again.
 *
 * @param about  for the log: ids of the record
 */
export async function sendWakeUp<Message>(
  { queue, log }: WakeDeps<Message>,
  message: Message,
  about: Readonly<Record<string, unknown>>,
  delaySeconds = 0,
): Promise<void> {
  await queue
    .send(message, delaySeconds)
    .catch((error) => log.warn("could not enqueue wake-up", { ...about, error: String(error) }));
}
