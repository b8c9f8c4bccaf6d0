import { isoTime } from "../../shared/domain/iso-time.ts";
import { inDollars } from "../../shared/domain/metrics/usage-sums.ts";
import type { RunMetrics } from "../../shared/schemas/runs/run.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";

/** The name that is shown of a session: the one it was given, else one derived from its first message. */
export const nameOf = ({ session_name, derived_name }: StoredSession): string =>
  session_name ?? derived_name ?? "";

/**
 * Sums over all runs with the runs within them, zeros left out.
 *
 * @decided  Their cost, as far as all of them have a price: a part of it would look like the whole.
 */
export function sumsOf(session: StoredSession): RunMetrics {
  const sums = {
    input_tokens: session.input_tokens,
    output_tokens: session.output_tokens,
    total_tokens: session.total_tokens,
    cache_read_tokens: session.cache_read_tokens,
    cache_write_tokens: session.cache_write_tokens,
    reasoning_tokens: session.reasoning_tokens,
  };
  const { cost_nanos, priced_tokens, total_tokens } = session;
  const cost = priced_tokens === total_tokens ? inDollars({ nanos: cost_nanos }).cost : undefined;
  return {
    ...Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== undefined && sum !== 0)),
    ...(cost !== undefined && { cost }),
  };
}

export const timesOf = ({ created_at, updated_at }: StoredSession) => ({
  created_at: isoTime(created_at),
  updated_at: isoTime(updated_at),
});

/** Without the members that are null. */
export function withoutNulls(of: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== null && value !== undefined));
}
