import { steeredIds } from "../../domain/runs/steered-ids.ts";
import type { Db } from "../../stores/db.ts";
import {
  listInbox,
  markMessage,
  refuseMessage,
  type StoredMessage,
  saidIn,
} from "../../stores/runs/inbox-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { InboxEnding } from "../../stores/transactions/plan-rest.ts";
import type { Inbox, SteeredMessage } from "../ports/inbox-port.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

/** The inbox of one execution. */
export type OpenInbox = Inbox & {
  readonly look: () => {
    /** The number up to which nothing has to be looked at again: each message was given, refused, withdrawn or moved. */
    readonly settled: number;
    /** Ids of the messages that this execution was given and no guard has refused. */
    readonly given: readonly string[];
  };
};

type Opening = {
  /** Ids of messages that the state has from which the execution begins. */
  readonly placed: readonly string[];
  /** Whether the run has begun just now, so that no client can know it yet: its first look reads nothing. */
  readonly isNew: boolean;
};

/**
 * Opens a run's inbox for one execution. What the run's transcript has is what it has taken: a message that an earlier
 * execution has marked as taken, and lost before its checkpoint, is taken again.
 */
export function connectInbox(db: Db, runId: string, { placed, isNew }: Opening): OpenInbox {
  const had = new Set(placed);
  /** Their numbers, by id. */
  const given = new Map<string, number>();
  const refused = new Set<string>();
  let settled = 0;
  let skips = isNew;
  const isSettled = ({ message_id, state }: StoredMessage) =>
    had.has(message_id) || given.has(message_id) || (state !== "unread" && state !== "taken");

  const give = async (message: StoredMessage): Promise<SteeredMessage | undefined> => {
    const { message_id, seq, state } = message;
    given.set(message_id, seq); // before anything is awaited: other branches of the run look too
    const now = state === "unread" ? await markMessage(db, runId, seq, "taken") : state;
    if (now === "taken") return { message_id, ...(await saidIn(db, message)) };
    refused.add(message_id); // its sender was faster
    return undefined;
  };
  const giveAll = async (due: readonly StoredMessage[]): Promise<SteeredMessage[]> => {
    const messages: SteeredMessage[] = [];
    const begun: string[] = [];
    try {
      for (const message of due) {
        if (isSettled(message)) continue; // another branch of the run was first
        begun.push(message.message_id);
        const one = await give(message);
        if (one) messages.push(one);
      }
    } catch (error) {
      for (const id of begun) given.delete(id); // no run has them: the next look begins anew
      throw error;
    }
    return messages;
  };

  return {
    async take({ step_id, member_run_id } = {}) {
      if (skips) {
        skips = false;
        return [];
      }
      const found = await listInbox(db, runId, settled);
      const messages = await giveAll(
        found.filter((one) =>
          // No member is at work when its leader looks: what was for one that has ended is the leader's.
          member_run_id === undefined
            ? one.step_id === undefined || one.step_id === step_id
            : one.member_run_id === member_run_id,
        ),
      );
      for (const message of found) {
        if (message.seq === settled + 1 && isSettled(message)) settled = message.seq;
      }
      return messages;
    },
    async refuse({ message_id }) {
      const seq = given.get(message_id);
      if (seq === undefined) return;
      await refuseMessage(db, runId, seq);
      refused.add(message_id);
    },
    look: () => ({ settled, given: [...given.keys()].filter((id) => !refused.has(id)) }),
  };
}

/**
 * What becomes of messages that a run has not taken when it ends. A pause keeps them for later; those of a cancelled run, and
 * of a workflow whose steps are over, stay unread.
 *
 * @param budget  attempts of the run that answers the rest; undefined where the queue is off
 * @param now     epoch seconds
 */
export function inboxEnding(
  run: StoredRun,
  { status, inbox, output }: Pick<RunOutcome, "status" | "inbox" | "output">,
  budget: number | undefined,
  now: number,
): InboxEnding | undefined {
  const movesRest = (status === "COMPLETED" || status === "ERROR") && run.component_type !== "workflow";
  if (!movesRest) return undefined;
  const { settled = 0, given = [] } = inbox ?? {};
  // A message may have been given to a step that was cut off: then all of them are read again.
  const placed = given.length === 0 ? undefined : new Set(steeredIds(output));
  const hasAll = given.every((id) => placed?.has(id));
  return { run, output, failed: status === "ERROR", settled: hasAll ? settled : 0, budget, now };
}
