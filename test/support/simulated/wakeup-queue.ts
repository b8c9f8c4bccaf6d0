import type { LockCheckQueue } from "../../../shared/queue/lock-check-queue.ts";
import type { RunQueue, Wakeup } from "../../../shared/queue/run-queue.ts";
import type { Network } from "./network.ts";
import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import { Refusal } from "./table.ts";
import type { SimulatedVersions, Version } from "./versions.ts";

export type DeliveryChances = {
  /** That a message never arrives. */
  readonly lost: number;
  readonly twice: number;
  /** That a message takes long. */
  readonly slow: number;
};
export const reliable: DeliveryChances = { lost: 0, twice: 0, slow: 0 };

const PROMPT_MS = [5, 400] as const;
const SLOW_MS = [1_000, 20_000] as const;
/** After which a message that was not finished is shown again. */
const VISIBILITY_MS = [200, 20_000] as const;
const MAX_RECEIVES = 2;

/** What starts when a message is delivered. */
export type Consumers = {
  readonly work: (process: Process, wakeup: Wakeup) => Promise<void>;
  readonly giveUp: (process: Process, wakeup: Wakeup) => Promise<void>;
  readonly checkLocks: (process: Process) => Promise<unknown>;
  /** A worker of a version that is not the live one. */
  readonly workAs: (process: Process, wakeup: Wakeup, version: Version) => Promise<void>;
};

/**
 * The queue of wake-ups: messages come late, twice, in another order or never; those that no worker could finish come
 * again, and go to the dead letters after some tries. Checks of the locks meet with the same.
 */
export function simulatedQueue(
  scheduler: Scheduler,
  network: Network,
  random: Random,
  logLine: (line: string) => void,
) {
  let chances = reliable;
  let consumers: Consumers | undefined;
  let deliveries = 0;
  let waiting = 0;

  const enqueue = (wakeup: Wakeup, receives: number, delayMs: number) => {
    waiting += 1;
    const takes = random.chance(chances.slow) ? SLOW_MS : PROMPT_MS;
    scheduler.after(delayMs + random.between(takes[0], takes[1]), "delivery", () => {
      waiting -= 1;
      deliver(wakeup, receives + 1);
    });
  };
  const deliver = (wakeup: Wakeup, receives: number) => {
    const isDead = receives > MAX_RECEIVES;
    const role = isDead ? "dead-letter" : "worker";
    const work = isDead ? consumers?.giveUp : consumers?.work;
    deliveries += 1;
    scheduler.start(
      `${role}-${deliveries} (${wakeup.job_id.slice(-4)})`,
      role,
      async (process) => work?.(process, wakeup),
      (how) => {
        if (how !== "done") enqueue(wakeup, receives, random.between(...VISIBILITY_MS));
      },
    );
  };
  const accept = (wakeup: Wakeup) => {
    const copies = random.chance(chances.lost) ? 0 : random.chance(chances.twice) ? 2 : 1;
    if (copies !== 1) logLine(`the message for ${wakeup.job_id.slice(-4)} will come ${copies} times`);
    for (let i = 0; i < copies; i += 1) enqueue(wakeup, 0, (wakeup.delay_seconds ?? 0) * 1000);
  };
  const refusal = () => new Refusal("ThrottlingException");

  let checks = 0;
  let checksWaiting = 0;
  const enqueueCheck = (receives: number, delayMs: number) => {
    checksWaiting += 1;
    const takes = random.chance(chances.slow) ? SLOW_MS : PROMPT_MS;
    scheduler.after(delayMs + random.between(takes[0], takes[1]), "check", () => {
      checksWaiting -= 1;
      checks += 1;
      const check = async (process: Process) => consumers?.checkLocks(process);
      scheduler.start(`check-${checks}`, "sweeper", check, (how) => {
        if (how !== "done" && receives < MAX_RECEIVES)
          enqueueCheck(receives + 1, random.between(...VISIBILITY_MS));
      });
    });
  };
  const acceptCheck = (delayMs: number) => {
    const copies = random.chance(chances.lost) ? 0 : random.chance(chances.twice) ? 2 : 1;
    if (copies !== 1) logLine(`a check of the locks will come ${copies} times`);
    for (let i = 0; i < copies; i += 1) enqueueCheck(0, delayMs);
  };
  const lockChecks: LockCheckQueue = {
    send: (_check, delaySeconds = 0) =>
      network.call("SendMessage", () => acceptCheck(delaySeconds * 1000), refusal),
  };
  const port: RunQueue = {
    send: (wakeup) => network.call("SendMessage", () => accept(wakeup), refusal),
    countWaiting: () => network.call("GetQueueAttributes", () => waiting, refusal),
  };
  /** Lambda's own queue of invocations: it loses no fewer than SQS here, and tries none again. */
  const invoke = (wakeup: Wakeup, version: Version) => {
    if (random.chance(chances.lost)) return;
    scheduler.after(random.between(...PROMPT_MS), "invocation", () => {
      deliveries += 1;
      scheduler.start(
        `worker-${deliveries} (${wakeup.job_id.slice(-4)}, version ${version})`,
        "worker",
        async (process) => consumers?.workAs(process, wakeup, version),
        () => undefined,
      );
    });
  };
  return {
    port,
    lockChecks,
    /** Checks that are under way. */
    checksWaiting: () => checksWaiting,
    /** @returns whether the version is kept, so that it is invoked */
    passOn: (versions: SimulatedVersions, version: string, wakeup: Wakeup): Promise<boolean> =>
      network.call(
        "Invoke",
        () => {
          if (!versions.isKept(version)) return false;
          invoke(wakeup, version);
          return true;
        },
        refusal,
      ),
    consume: (by: Consumers) => {
      consumers = by;
    },
    setChances: (next: DeliveryChances) => {
      chances = next;
    },
  };
}
