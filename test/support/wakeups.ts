import type { RunQueue, Wakeup } from "../../shared/queue/run-queue.ts";

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
