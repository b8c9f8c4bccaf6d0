import type { Log } from "../../shared/runtime/log.ts";

/** One round of the sweeper: steps that do not keep each other from being taken. */
export type Round = {
  /** Takes a step. @returns undefined where it failed, which is in the log */
  readonly step: <T>(name: string, take: () => Promise<T>) => Promise<T | undefined>;
  /** @throws the first error, once every step was taken: then the round counts as failed, and an alarm sees it */
  readonly end: () => void;
};

export function beginRound(log: Pick<Log, "error">): Round {
  const faults: unknown[] = [];
  return {
    async step(name, take) {
      try {
        return await take();
      } catch (error) {
        log.error("a step of the sweeper failed", { step: name, error });
        faults.push(error);
        return undefined;
      }
    },
    end() {
      if (faults.length > 0) throw faults[0];
    },
  };
}
