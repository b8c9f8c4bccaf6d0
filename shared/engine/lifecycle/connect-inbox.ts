import type { Db } from "../../stores/db.ts";
import {
  listInbox,
  markMessage,
  refuseMessage,
  type StoredMessage,
  saidIn,
} from "../../stores/runs/inbox/inbox-item.ts";
import type { Inbox, SteeredMessage } from "../ports/inbox-port.ts";

/** The inbox of one execution. */
export type OpenInbox = Inbox & {
  /** The number up to which every message is settled: it is in the run, was refused, withdrawn or moved. */
  readonly settled: () => number;
};

type Opening = {
  /** Ids of messages that the state has from which the execution begins. */
  readonly placed: readonly string[];
  /** Whether the run has begun just now, so that nobody can know it yet: its first look reads nothing. */
  readonly isNew: boolean;
};

/**
 * Opens a run's inbox for one execution. What the run's transcript has is what it has taken: a message that an earlier
 * execution has marked as taken, and lost before its checkpoint, is taken again.
 */
export function connectInbox(db: Db, runId: string, { placed, isNew }: Opening): OpenInbox {
  const known = new Set(placed);
  const numbers = new Map<string, number>();
  let settled = 0;
  let skips = isNew;
  const isSettled = ({ message_id, state }: StoredMessage) =>
    known.has(message_id) || (state !== "unread" && state !== "taken");
  const give = async (message: StoredMessage): Promise<SteeredMessage[]> => {
    const { message_id, seq, state } = message;
    if (known.has(message_id)) return []; // another branch of the run was first
    known.add(message_id); // before anything is awaited
    numbers.set(message_id, seq);
    const now = state === "unread" ? await markMessage(db, runId, seq, "taken") : state;
    return now === "taken" ? [{ message_id, ...(await saidIn(db, message)) }] : [];
  };
  return {
    async take(step_id) {
      if (skips) {
        skips = false;
        return [];
      }
      const found = await listInbox(db, runId, settled);
      const due = found.filter(
        (one) => !isSettled(one) && (one.step_id === undefined || one.step_id === step_id),
      );
      const given: SteeredMessage[] = [];
      for (const message of due) given.push(...(await give(message)));
      for (const message of found) {
        if (message.seq !== settled + 1 || !isSettled(message)) continue;
        settled = message.seq;
      }
      return given;
    },
    async refuse({ message_id }) {
      const seq = numbers.get(message_id);
      if (seq !== undefined) await refuseMessage(db, runId, seq);
    },
    settled: () => settled,
  };
}
