import type { LockCheckQueue } from "../../shared/queue/lock-check-queue.ts";
import type { RunQueue, Wakeup } from "../../shared/queue/run-queue.ts";
import { type Clock, epochSeconds } from "../../shared/runtime/clock.ts";

export type Wakeups = RunQueue & {
  /** Everything that was sent and not taken yet, oldest first. */
  readonly sent: Wakeup[];
  /** Whether sending works; a test switches it off. */
  reachable: boolean;
};

/** The queue's port with the deliveries in the test's hand: once, twice, late or never. */
export function wakeupsInHand(): Wakeups {
  const sent: Wakeup[] = [];
  return {
    sent,
    reachable: true,
    async send(wakeup) {
      if (!this.reachable) throw new Error("the queue is not reachable");
      sent.push(wakeup);
    },
    countWaiting: async () => sent.length,
  };
}

export type LockChecks = LockCheckQueue & {
  /** When the checks come that were sent; epoch seconds. */
  readonly dueAt: number[];
  reachable: boolean;
};

/** Checks of locks, with the deliveries in the test's hand. */
export function lockChecksInHand(clock: Clock): LockChecks {
  const dueAt: number[] = [];
  return {
    dueAt,
    reachable: true,
    async send(_check, delaySeconds = 0) {
      if (!this.reachable) throw new Error("the queue is not reachable");
      dueAt.push(epochSeconds(clock) + delaySeconds);
    },
  };
}
