import * as v from "valibot";
import type { ReceivedMessage, RunMessages } from "../../shared/queue/run-messages.ts";
import { RunMessage } from "../../shared/queue/run-queue.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";

export type BatchDeps = {
  /** Executes the job that a message names, to its end or to its hand-off. */
  readonly execute: (body: string) => Promise<void>;
  readonly messages: RunMessages;
  readonly clock: Clock;
  /** How long this process will live, in milliseconds. */
  readonly remainingMs: () => number;
  /** How many jobs it executes side by side. */
  readonly slots: number;
  readonly log: Pick<Log, "warn" | "error">;
};

/** With less time left nothing more is claimed: a run that began now would soon have to be handed off. */
const LAST_CLAIM_MS = 180_000;
/** How often free slots look for work while other slots are busy. */
const LOOK_EVERY_MS = 1_000;
/** How long a free slot waits for others to become free, so that one request receives for all of them. */
const GATHER_MS = 50;

/**
 * Executes the jobs of a batch side by side, and keeps the slots full: while a run is under way and time remains, a
 * free slot receives the next message itself. So one long run does not leave the other slots of its worker idle.
 *
 *   slot 1  ├─a─┤├───d───┤├─f─┤├──h──┤
 *   slot 2  ├──────────b──────────┤├─i──┤
 *   slot 3  ├─c──┤├─e─┤ ├────g────┤
 *                                 ╵ LAST_CLAIM_MS are left
 *
 * A message that was received here is deleted when its job was executed, as the event source deletes those of the batch.
 * One whose job could not be processed becomes visible again after the queue's visibility timeout.
 *
 * @returns the positions in the batch of the messages that could not be processed
 */
export async function executeBatch(deps: BatchDeps, batch: readonly string[]): Promise<number[]> {
  const failed: number[] = [];
  const active = new Set<Promise<void>>();
  const start = (work: Promise<void>) => {
    const ended = work.finally(() => active.delete(ended));
    active.add(ended);
  };
  const execute = async (body: string) => {
    try {
      await deps.execute(body);
    } catch (error) {
      deps.log.error("a job could not be processed", { wakeup: body, ...runIn(body), error });
      throw error;
    }
  };
  const executeReceived = ({ body, receipt }: ReceivedMessage) =>
    execute(body).then(
      () => removeMessage(deps, receipt),
      () => undefined,
    );
  for (const [position, body] of batch.entries()) {
    start(execute(body).catch(() => void failed.push(position)));
  }
  while (active.size > 0) {
    await nextChange(deps.clock, active, LOOK_EVERY_MS);
    await allEnded(deps.clock, active, GATHER_MS);
    const free = deps.slots - active.size;
    if (active.size === 0 || free <= 0 || deps.remainingMs() < LAST_CLAIM_MS) continue;
    for (const received of await receive(deps, free)) start(executeReceived(received));
  }
  return failed;
}

/** The run of a message, for the log; none where the message is not one of ours. */
function runIn(body: string): { readonly run_id?: string } {
  const text = v.safeParse(v.pipe(v.string(), v.parseJson(), RunMessage), body);
  return text.success ? { run_id: text.output.job_id } : {};
}

/** Waits until a slot becomes free, or until this time is over. */
async function nextChange(clock: Clock, active: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  const changed = new AbortController();
  const pause = clock.sleep(ms, changed.signal).catch(() => undefined);
  await Promise.race([...active, pause]);
  changed.abort();
}

/** Waits until every slot is free, or until this time is over. */
function allEnded(clock: Clock, active: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  return nextChange(clock, new Set([Promise.all(active).then(() => undefined)]), ms);
}

/** A message that stays comes again, and finds its job done. */
async function removeMessage({ messages, log }: BatchDeps, receipt: string): Promise<void> {
  await messages
    .remove(receipt)
    .catch((error) => log.warn("a message could not be deleted", { error: String(error) }));
}

async function receive({ messages, log }: BatchDeps, atMost: number): Promise<readonly ReceivedMessage[]> {
  try {
    return await messages.receive(atMost);
  } catch (error) {
    log.warn("no messages could be received", { error: String(error) });
    return [];
  }
}
