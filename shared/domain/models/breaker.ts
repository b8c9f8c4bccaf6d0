/** What all workers know of the failures of a model; instants are epoch milliseconds. */
export type Breaker = {
  /** When calls found the service unavailable, the oldest first; only of the last minute. */
  readonly failures: readonly number[];
  /** Until when no call is made; absent while the breaker is closed. */
  readonly open_until?: number | undefined;
  /** How long it opened last. */
  readonly open_seconds?: number | undefined;
  /** Until when one call tries whether the service answers again; the others wait. */
  readonly probe_until?: number | undefined;
};

const FAILURES = 5;
const WINDOW_MS = 60_000;
const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 300;
/** A probe whose process dies is forgotten then. Longer than a model may take to begin its answer. */
const PROBE_MS = 90_000;
/** When the others look whether the probe was answered. */
const LOOK_MS = 10_000;

export type Admission =
  | { readonly admits: "all" }
  /** One call may be made, by whoever writes `claimed` first. */
  | { readonly admits: "probe"; readonly claimed: Breaker }
  | { readonly admits: "none"; readonly until_ms: number };

/**
 * Whether a model may be called.
 *
 *   closed ── 5 failures in 60 s ─▶ open 30 s ─▶ one probe ── answers ─▶ closed
 *                                      ▲            │ fails
 *                                      └── doubled ─┘ up to 300 s
 */
export function admissionOf(breaker: Breaker | undefined, nowMs: number): Admission {
  if (breaker?.open_until === undefined) return { admits: "all" };
  const { open_until, probe_until = 0 } = breaker;
  if (nowMs < open_until) return { admits: "none", until_ms: open_until };
  if (nowMs < probe_until) return { admits: "none", until_ms: Math.min(probe_until, nowMs + LOOK_MS) };
  return { admits: "probe", claimed: { ...breaker, probe_until: nowMs + PROBE_MS } };
}

/**
 * The breaker after a call that found the service unavailable.
 *
 * @param isProbe  whether the call was the one that tried
 * @returns undefined where nothing changes: it is open, and the call began before
 */
export function afterFailure(
  breaker: Breaker | undefined,
  nowMs: number,
  isProbe: boolean,
): Breaker | undefined {
  const { failures = [], open_until, open_seconds = FIRST_SECONDS } = breaker ?? {};
  if (isProbe)
    return open_until === undefined ? undefined : opened(Math.min(open_seconds * 2, LONGEST_SECONDS), nowMs);
  if (open_until !== undefined) return undefined;
  const recent = [...failures.filter((at) => at > nowMs - WINDOW_MS), nowMs];
  return recent.length >= FAILURES ? opened(FIRST_SECONDS, nowMs) : { failures: recent };
}

const opened = (open_seconds: number, nowMs: number): Breaker => ({
  failures: [],
  open_until: nowMs + open_seconds * 1000,
  open_seconds,
});
