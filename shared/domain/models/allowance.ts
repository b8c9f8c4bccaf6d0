/** What all workers together may ask of a model; what is absent has no limit. */
export type ModelLimit = {
  readonly requests_per_minute?: number | undefined;
  readonly tokens_per_minute?: number | undefined;
  readonly concurrent?: number | undefined;
};

/** What all workers together may still ask of a model at this moment; instants are epoch milliseconds. */
export type Allowance = {
  /** Requests and tokens that are left, as of `at`. Tokens may be below 0: calls use more than was foreseen. */
  readonly requests: number;
  readonly tokens: number;
  readonly at: number;
  /** When the service last asked to slow down, and the part of the limits that remained then. */
  readonly cut_at?: number | undefined;
  readonly cut_to?: number | undefined;
  /** Processes with calls under way: how many, and until when that holds. */
  readonly holders: Readonly<Record<string, { readonly calls: number; readonly until: number }>>;
  /** What users were given in the present turn, by their digests, and since when. */
  readonly turn: { readonly from: number; readonly given: Readonly<Record<string, number>> };
  /** Users whose calls wait, by their digests: until when that holds. */
  readonly waiting: Readonly<Record<string, number>>;
};

/** What a process leases for its next two seconds. */
export const LEASE_MS = 2_000;
/** Over so long no user is given more than half while others wait. */
const TURN_MS = 10_000;
const RECOVERY_MS = 10_000;
const SLOWEST = 0.05;

export const newAllowance = (limit: ModelLimit, nowMs: number): Allowance => ({
  requests: capacityOf(limit.requests_per_minute, 1),
  tokens: capacityOf(limit.tokens_per_minute, 1),
  at: nowMs,
  holders: {},
  turn: { from: nowMs, given: {} },
  waiting: {},
});

/** A call that asks to be made. */
export type Asking = {
  /** Digest of the user. */
  readonly user: string;
  /** The process that makes it. */
  readonly holder: string;
  readonly tokens: number;
  /** How many calls this process has under way. */
  readonly under_way: number;
  /** Tokens that its earlier calls used and that were not foreseen; below 0 where they used less. */
  readonly owed: number;
};

export type Leased =
  /** `spare` are further requests of the same user that the process may make within the lease. */
  | { readonly leased: true; readonly next: Allowance; readonly spare: number }
  | { readonly leased: false; readonly next: Allowance; readonly again_ms: number };

/** The part of the limits that is used: halved by a service that asks to slow down, a tenth more every ten seconds. */
export function factorAt({ cut_at, cut_to = 1 }: Allowance, nowMs: number): number {
  if (cut_at === undefined) return 1;
  return Math.min(1, cut_to + 0.1 * Math.floor((nowMs - cut_at) / RECOVERY_MS));
}

export const slowedDown = (before: Allowance, nowMs: number): Allowance => ({
  ...before,
  cut_at: nowMs,
  cut_to: Math.max(SLOWEST, factorAt(before, nowMs) / 2),
});

/**
 * Decides whether a call may be made now, by what all workers have left. What the process owes is taken off in both cases, so it
 * is asked for once.
 */
export function leaseOf(before: Allowance, limit: ModelLimit, asking: Asking, nowMs: number): Leased {
  const factor = factorAt(before, nowMs);
  const now = withoutOwed(refilled(before, limit, factor, nowMs), limit, asking);
  const waitsMs = Math.max(
    timeFor(1 - now.requests, limit.requests_per_minute, factor),
    timeFor(neededTokens(asking, limit, factor) - now.tokens, limit.tokens_per_minute, factor),
    hasPlace(now, limit, asking, factor) ? 0 : LEASE_MS / 4,
    isOwnTurn(now, limit, asking, factor, nowMs) ? 0 : now.turn.from + TURN_MS - nowMs,
  );
  if (waitsMs > 0) {
    const waiting = { ...now.waiting, [asking.user]: nowMs + LEASE_MS + waitsMs };
    return { leased: false, next: { ...now, waiting }, again_ms: waitsMs };
  }
  const spare = spareOf(now, limit, factor);
  const given = (now.turn.given[asking.user] ?? 0) + 1 + spare;
  const { [asking.user]: _, ...waiting } = now.waiting;
  return {
    leased: true,
    spare,
    next: {
      ...now,
      requests: now.requests - 1 - spare,
      tokens: now.tokens - (limit.tokens_per_minute === undefined ? 0 : asking.tokens),
      holders: {
        ...now.holders,
        [asking.holder]: { calls: asking.under_way + 1, until: nowMs + LEASE_MS },
      },
      turn: { ...now.turn, given: { ...now.turn.given, [asking.user]: given } },
      waiting,
    },
  };
}

/** The allowance with what a process has under way, which holds for as long as a lease. */
export function heldBy(before: Allowance, holder: string, calls: number, nowMs: number): Allowance {
  const { [holder]: _, ...others } = before.holders;
  return {
    ...before,
    holders: calls === 0 ? others : { ...others, [holder]: { calls, until: nowMs + LEASE_MS } },
  };
}

/** What two seconds bring, and one request at least. Without a limit nothing is counted. */
const capacityOf = (per_minute: number | undefined, factor: number): number =>
  per_minute === undefined ? 0 : Math.max(1, (per_minute / 60_000) * LEASE_MS * factor);

function refilled(before: Allowance, limit: ModelLimit, factor: number, nowMs: number): Allowance {
  const passed = Math.max(0, nowMs - before.at);
  const more = (left: number, per_minute = 0) =>
    Math.min(capacityOf(per_minute, factor), left + (per_minute / 60_000) * factor * passed);
  const { turn, holders, waiting } = before;
  return {
    ...before,
    requests: more(before.requests, limit.requests_per_minute),
    tokens: more(before.tokens, limit.tokens_per_minute),
    at: Math.max(before.at, nowMs),
    turn: nowMs - turn.from < TURN_MS ? turn : { from: nowMs, given: {} },
    holders: Object.fromEntries(Object.entries(holders).filter(([, { until }]) => until > nowMs)),
    waiting: Object.fromEntries(Object.entries(waiting).filter(([, until]) => until > nowMs)),
  };
}

/** Milliseconds until so much more is there. */
function timeFor(missing: number, per_minute: number | undefined, factor: number): number {
  if (per_minute === undefined || missing <= 1e-6) return 0;
  return Math.ceil(missing / ((per_minute / 60_000) * factor));
}

/**
 * What has to be left for a call. One that needs more tokens than two seconds bring waits for no more than these; all that it
 * needs is taken off, and the next calls wait for it.
 */
const neededTokens = ({ tokens }: Asking, { tokens_per_minute }: ModelLimit, factor: number): number =>
  tokens_per_minute === undefined ? 0 : Math.min(tokens, capacityOf(tokens_per_minute, factor));

/** The allowance less what the process owes; more where its calls used less than was foreseen. */
const withoutOwed = (
  now: Allowance,
  { tokens_per_minute }: ModelLimit,
  { owed }: Pick<Asking, "owed">,
): Allowance => (tokens_per_minute === undefined ? now : { ...now, tokens: now.tokens - owed });

function hasPlace(
  { holders }: Allowance,
  { concurrent }: ModelLimit,
  { holder, under_way }: Asking,
  factor: number,
): boolean {
  if (concurrent === undefined) return true;
  const others = Object.entries(holders).filter(([name]) => name !== holder);
  const taken = others.reduce((sum, [, { calls }]) => sum + calls, under_way);
  return taken < Math.max(1, Math.floor(concurrent * factor));
}

/** Whether a user may be given more while others wait: half of what a turn brings at most. */
function isOwnTurn(
  { turn, waiting }: Allowance,
  { requests_per_minute }: ModelLimit,
  { user }: Asking,
  factor: number,
  nowMs: number,
): boolean {
  if (requests_per_minute === undefined) return true;
  const othersWait = Object.entries(waiting).some(([other, until]) => other !== user && until > nowMs);
  const half = Math.max(1, ((requests_per_minute / 60_000) * TURN_MS * factor) / 2);
  return !othersWait || (turn.given[user] ?? 0) < half;
}

/** A quarter of what two seconds bring is leased at once where no user waits, so that most calls write nothing. */
function spareOf(
  { requests, waiting }: Allowance,
  { requests_per_minute, tokens_per_minute }: ModelLimit,
  factor: number,
): number {
  const isCounted = tokens_per_minute !== undefined || Object.keys(waiting).length > 0;
  if (requests_per_minute === undefined || isCounted) return 0;
  return Math.min(Math.floor(capacityOf(requests_per_minute, factor) / 4), Math.floor(requests - 1));
}
