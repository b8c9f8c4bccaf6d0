/** A service has asked to slow down; instants are epoch milliseconds. */
export type Block = {
  /** When it asked. */
  readonly from: number;
  /** No call is made before. */
  readonly until: number;
  /** How often it has asked without naming a time, as long as it goes on. */
  readonly doublings: number;
};

const FIRST_MS = 2_000;
const LONGEST_MS = 300_000;
/** After so long without a block the next one begins from the shortest again. */
const CALM_MS = 60_000;

/**
 * The block after a call that was throttled. Calls that were under way when the service asked do not lengthen it twice.
 *
 * @param startedMs      when the throttled call was made
 * @param after_seconds  what the service asks for
 */
export function blockAfter(
  before: Block | undefined,
  startedMs: number,
  nowMs: number,
  after_seconds: number | undefined,
): Block {
  const isKnown = before !== undefined && startedMs < before.from;
  const isCalm = before === undefined || nowMs > before.until + CALM_MS;
  const doublings = isCalm ? 0 : before.doublings + (isKnown ? 0 : 1);
  const own = Math.min(FIRST_MS * 2 ** doublings, LONGEST_MS);
  const until = nowMs + (after_seconds === undefined ? own : after_seconds * 1000);
  if (before && before.until >= until) return before;
  if (isKnown && after_seconds === undefined) return before;
  return { from: nowMs, until, doublings };
}

/**
 * When a call may start: calls that wait for the end of a block start spread over a quarter of its length.
 *
 * @param share  in [0, 1), of this call
 */
export function startAfter(block: Block | undefined, share: number): number {
  if (!block) return 0;
  return Math.ceil(block.until + ((block.until - block.from) / 4) * share);
}
