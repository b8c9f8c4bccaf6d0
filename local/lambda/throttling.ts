import type { Outcome } from "./start-thread.ts";

const THROTTLED = "TooManyRequestsException";

/** The outcome of an invocation that is refused because too many are under way. */
export const throttled = (errorMessage: string): Outcome => ({
  ok: false,
  error: { errorType: THROTTLED, errorMessage },
});

/** Whether an invocation was refused because too many were under way. */
export const isThrottled = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && !outcome.ok && outcome.error.errorType === THROTTLED;

/** Invocations that have begun and not ended, by what they are counted for. */
export function invocationCounts() {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    async during<T>(name: string, invoke: () => Promise<T>): Promise<T> {
      counts.set(name, of(name) + 1);
      try {
        return await invoke();
      } finally {
        counts.set(name, of(name) - 1);
      }
    },
  };
}
