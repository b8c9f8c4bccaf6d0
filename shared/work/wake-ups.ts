import type { MessageQueue } from "../queue/message-queue.ts";
import type { Log } from "../runtime/log.ts";
import type { Db } from "../stores/db.ts";
import type { Item } from "../stores/transact.ts";
import { type DueRow, delayUntil } from "./due.ts";

/** How workers are woken for one kind of work: a message names a record, which is the truth. */
export type WakeRow<Message> = {
  /** What one record is called in the log. */
  readonly kind: string;
  readonly due: Pick<DueRow<never>, "list">;
  /** The message that wakes a worker. @param row what names the record, as `due` finds it; now epoch seconds */
  readonly message: (row: Item, now: number) => Message;
};

type Queue<Message> = Pick<MessageQueue<Message>, "send">;

export type WakeDeps<Message> = { readonly queue: Queue<Message>; readonly log: Pick<Log, "warn"> };

export function wakeUps<Message>({ kind, due: row, message }: WakeRow<Message>) {
  /** The messages of everything that is due, each once: several records may be woken by one. @param now epoch seconds */
  const due = async (db: Db, now: number) => {
    const messages = (await row.list(db, now)).map((found) => ({
      message: message(found.row, now),
      delaySeconds: delayUntil(found.dueAt, now),
    }));
    return [...new Map(messages.map((one) => [JSON.stringify(one.message), one])).values()];
  };
  return {
    due,

    /** Sends a wake-up. One that is lost is sent by the sweeper. */
    async wake({ queue, log }: WakeDeps<Message>, named: Message, delaySeconds = 0): Promise<void> {
      await queue
        .send(named, delaySeconds)
        .catch((error) => log.warn(`${kind}: wake-up not sent`, { ...named, error: String(error) }));
    },

    /**
     * Sends a message for each record that is due: its message was lost, its worker died, or it waits for longer than a
     * message can be delayed. A message too many does no harm.
     *
     * @param now  epoch seconds
     * @returns    how many were sent
     */
    async sweep(db: Db, queue: Queue<Message>, now: number): Promise<number> {
      const messages = await due(db, now);
      for (const { message: named, delaySeconds } of messages) await queue.send(named, delaySeconds);
      return messages.length;
    },
  };
}
