import { epochSeconds } from "../../shared/runtime/clock.ts";
import { chatWork, type StoredChatMessage } from "../../shared/stores/chats/index.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import type { RunAddress } from "../../shared/stores/runs/run-keys.ts";
import type { WorkChange } from "../../shared/work/index.ts";
import type { Handled, LeasedMessage } from "./chat-worker-deps.ts";

/** Another worker has the message by now, and answers it. */
export class MessageLost extends Error {
  override readonly name = "MessageLost";
}

type Change = WorkChange<StoredChatMessage>;

/** Records the progress of a message. @throws MessageLost where another worker has it by now: then nothing more is done */
export async function writeProgress(leased: LeasedMessage, set: NonNullable<Change["set"]>): Promise<void> {
  const { deps, message, worker } = leased;
  const written = await chatWork.write(deps.db, message.key, worker, { set });
  if (!written.changed) throw new MessageLost("another worker answers this message by now");
  leased.message = written.record;
}

/** Releases the lease of a message. @returns false when another worker has it by now */
export const release = async ({ deps, message, worker }: LeasedMessage, change: Change): Promise<boolean> =>
  (await chatWork.release(deps.db, message.key, worker, change)).changed;

/**
 * Ends a message: it needs nothing any more, and its record is left without what was said. Which message answered last
 * stays.
 */
export async function end(leased: LeasedMessage, status: "done" | "failed" = "done"): Promise<"done"> {
  const { asking } = leased.message;
  const left = asking && { asking: { id: "", answers: [], ...(asking.by && { by: asking.by }) } };
  await release(leased, { set: { status, work: undefined, ...left }, due: null });
  return "done";
}

/**
 * Lets a message wait until its run moves on, which sends a wake-up. One that came while the lease was still held was dropped,
 * so the run is read once more when the lease is given back.
 *
 * @param at       the message's run
 * @param status   of the run, as it was read before
 * @param seconds  after which the message is due again, if no wake-up comes before
 */
export async function wait(
  leased: LeasedMessage,
  at: RunAddress,
  status: StoredRun["status"],
  seconds: number,
): Promise<Handled> {
  const now = epochSeconds(leased.deps.clock);
  const set = { status: "waiting" } as const;
  const released = await release(leased, { set, add: { faults: -1 }, due: now + seconds });
  if (!released) return "done";
  const run = await getRun(leased.deps.db, at, now);
  return run?.status === status ? "done" : { again_after_seconds: 0, released: true };
}
