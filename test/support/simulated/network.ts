import type { Random } from "./random.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import { Refusal } from "./table.ts";

export type NetworkChances = {
  /** That the service has no room for the call; nothing is done. */
  readonly throttled: number;
  /** That the connection breaks before the call arrives; nothing is done. */
  readonly lostAsking: number;
  /** That the connection breaks after the call was done. */
  readonly lostAnswer: number;
  /** That the call takes seconds: the caller gives up, and it is done all the same, later. */
  readonly late: number;
};
export const calm: NetworkChances = { throttled: 0, lostAsking: 0, lostAnswer: 0, late: 0 };

const ORDINARY_MS = [1, 25] as const;
const PATIENCE_MS = 5_000;
const LATEST_MS = 15_000;

/** A connection that broke: the client's own name for it, so that the client tries again where it would. */
const broken = () => Object.assign(new Error("the connection broke"), { name: "TimeoutError" });

/**
 * Carries calls from processes to services: each takes its time there and back, and may get lost on either way. What
 * has left a process happens even if the process dies.
 */
export function createNetwork(scheduler: Scheduler, random: Random) {
  let chances = calm;
  const fateOf = (): keyof NetworkChances | "done" => {
    const drawn = random.next();
    let sum = 0;
    for (const [fate, chance] of Object.entries(chances)) {
      sum += chance;
      if (drawn < sum) return fate as keyof NetworkChances; // the keys of chances
    }
    return "done";
  };
  return {
    setChances: (next: NetworkChances) => {
      chances = next;
    },
    /**
     * @param done      does the call at the service, at one instant; what it throws is the answer
     * @param refusal   the error of a service that has no room
     */
    call<T>(label: string, done: () => T, refusal: () => Error): Promise<T> {
      const process = scheduler.current();
      const fate = fateOf();
      if (process && fate !== "done") process.troubledAt = scheduler.now();
      return new Promise((resolve, reject) => {
        const answer = (give: () => void, ms = random.between(...ORDINARY_MS)) =>
          scheduler.within(process, ms, `${label} is answered`, () => {
            if (process && fate !== "done") process.troubledAt = scheduler.now();
            give();
          });
        if (fate === "throttled") return answer(() => reject(refusal()));
        if (fate === "lostAsking") return answer(() => reject(broken()));
        const arrivesAfter =
          fate === "late" ? random.between(100, LATEST_MS) : random.between(...ORDINARY_MS);
        if (fate === "late") answer(() => reject(broken()), PATIENCE_MS);
        scheduler.after(arrivesAfter, label, () => {
          const outcome = outcomeOf(done);
          if (fate === "lostAnswer") answer(() => reject(broken()));
          if (fate === "done") answer(() => (outcome.ok ? resolve(outcome.value) : reject(outcome.error)));
        });
      });
    },
  };
}
export type Network = ReturnType<typeof createNetwork>;

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function outcomeOf<T>(done: () => T): Outcome<T> {
  try {
    return { ok: true, value: done() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error };
    throw error;
  }
}

export type Caller = Process | undefined;
