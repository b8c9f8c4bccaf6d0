import type { Clock } from "../runtime/clock.ts";

const LONGEST_WAIT_MS = 20_000;

/** When a chat platform takes calls again, for each part of it that it limits by itself. */
export type CallLimits = {
  /** Before this the platform takes no call; epoch milliseconds, 0 where it has refused none. */
  readonly blockedUntil: (part: string) => number;
  /**
   * Waits while it takes no calls, unless that is long: then the call is to be tried again later.
   *
   * @returns seconds that are left; 0 where the call may be made
   */
  readonly waitOut: (part: string) => Promise<number>;
  /** Notes that it asked to wait. @param seconds  from now */
  readonly block: (part: string, seconds: number) => void;
};

export function callLimits(clock: Clock): CallLimits {
  const blocked = new Map<string, number>();
  const blockedUntil = (part: string): number => blocked.get(part) ?? 0;
  return {
    blockedUntil,
    waitOut: async (part) => {
      const waitMs = blockedUntil(part) - clock.now();
      if (waitMs > LONGEST_WAIT_MS) return Math.ceil(waitMs / 1000);
      if (waitMs > 0) await clock.sleep(waitMs);
      return 0;
    },
    block: (part, seconds) => {
      blocked.set(part, Math.max(blockedUntil(part), clock.now() + seconds * 1000));
    },
  };
}
