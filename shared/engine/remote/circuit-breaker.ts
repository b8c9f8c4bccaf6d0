/** After so many failures in a row a remote agent is not asked for a while. */
const FAILURES = 5;
const OPEN_MS = 30_000;

type Circuit = { failures: number; openUntilMs: number };

/**
 * Remembers in this process which services fail, so that runs get an answer at once instead of each waiting for the same
 * failure.
 *
 *   closed ── 5 failures in a row ─▶ open ── 30 s ─▶ one call is let through ─┬─ succeeds ─▶ closed
 *                                      ▲                                      └─ fails ─▶ open
 *
 * @decided  For each process by itself: a shared state would cost a read for every call, and an instance that fails is
 *           found by each process after five calls.
 */
export function createCircuitBreaker() {
  const circuits = new Map<string, Circuit>();
  return {
    /** @returns milliseconds until the service may be called; 0 where it may be now */
    blockedMs(service: string, nowMs: number): number {
      const circuit = circuits.get(service);
      if (!circuit || circuit.failures < FAILURES) return 0;
      if (nowMs < circuit.openUntilMs) return circuit.openUntilMs - nowMs;
      circuit.openUntilMs = nowMs + OPEN_MS; // others wait for how this one call ends
      return 0;
    },
    succeeded(service: string): void {
      circuits.delete(service);
    },
    failed(service: string, nowMs: number): void {
      const failures = (circuits.get(service)?.failures ?? 0) + 1;
      circuits.set(service, { failures, openUntilMs: nowMs + OPEN_MS });
    },
  };
}
