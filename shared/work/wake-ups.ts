import type { Item } from "../data/index.ts";
import type { Log } from "../runtime/log.ts";
import type { Db } from "../stores/db.ts";
import { type Due, type DueRow, delayUntil } from "./due.ts";

/** The wake-up messages of one kind of work: a message names a record, which is the truth. */
export type WakeRow<Message> = {
  /** What one record is called in the log. */
  readonly kind: string;
  readonly due: Pick<DueRow<never>, "list">;
  /** The message that wakes a worker. @param row what names the record, as `due` finds it; now epoch seconds */
  readonly message: (row: Item, now: number) => Message;
  /** What of a message may be in the log; all of it, unless said. */
  readonly about?: (message: Message) => Readonly<Record<string, unknown>>;
};

/** Wakes the workers of one kind: at once, and from the sweeper. */
export function wakeUps<Message extends object>({ kind, due: row, message, about }: WakeRow<Message>) {
  /** The messages of everything that is due, each once: one message may stand for several records. @param now epoch seconds */
  const due = async (db: Db, now: number) => messagesOf(await row.list(db, now), now);
  const messagesOf = (found: readonly Due[], now: number) => {
    const messages = found.map((one) => ({
      message: message(one.row, now),
      delaySeconds: delayUntil(one.dueAt, now),
    }));
    return [...new Map(messages.map((one) => [JSON.stringify(one.message), one])).values()];
  };
  return {
    kind,
    due,

    message,
    wake: (deps: WakeDeps<Message>, named: Message, delaySeconds?: number): Promise<void> =>
      sendWakeUp(deps, named, { kind, ...(about ? about(named) : named) }, delaySeconds),

    /**
     * Sends a message for each record that is due: its message was lost, its worker died, or it waits for longer than a
     * message can be delayed. A message too many does no harm.
     *
     * @param now      epoch seconds
     * @param overdue  called with the seconds for which the oldest has been due, where any is
     * @returns        how many were sent
     */
    async sweep(
      db: Db,
      queue: WakeDeps<Message>["queue"],
      now: number,
      overdue: (seconds: number) => void = () => {},
    ): Promise<number> {
      const found = await row.list(db, now);
      const oldest = Math.min(now, ...found.map(({ dueAt }) => dueAt));
      if (oldest < now) overdue(now - oldest);
      const messages = messagesOf(found, now);
      for (const { message: named, delaySeconds } of messages) await queue.send(named, delaySeconds);
      return messages.length;
    },
  };
}

/** What the sweeper needs of a kind of work. */
export type Sweepable<Message extends object> = Pick<ReturnType<typeof wakeUps<Message>>, "kind" | "sweep">;

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
