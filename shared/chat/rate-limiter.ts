import type { Clock } from "../runtime/clock.ts";

/** Limits how often one chat is called. */
export type RateLimiter = {
  /** Waits until the chat accepts another call. */
  readonly waitTurn: () => Promise<void>;
  readonly isFree: () => boolean;
};

/**
 * @param blockedUntil  before this the platform accepts no call; epoch milliseconds
 * @param everyMs       least time between two calls
 */
export function rateLimiter(blockedUntil: () => number, clock: Clock, everyMs: number): RateLimiter {
  let nextAt = 0;
  const freeAt = () => Math.max(nextAt, blockedUntil());
  return {
    isFree: () => clock.now() >= freeAt(),
    waitTurn: async () => {
      while (clock.now() < freeAt()) await clock.sleep(freeAt() - clock.now());
      nextAt = clock.now() + everyMs;
    },
  };
}

/** One limiter for each chat. */
export function limitersOf(create: () => RateLimiter): (chat: string) => RateLimiter {
  const limiters = new Map<string, RateLimiter>();
  return (chat) => {
    const known = limiters.get(chat) ?? create();
    limiters.set(chat, known);
    return known;
  };
}
