import type { Log } from "../runtime/log.ts";
import type { Meter } from "../runtime/metrics/meter.ts";

/**
 * Counts a worker that ended without a word, when another takes over what it had in hand: Lambda ended its process, or an error
 * that nothing handles. One figure for all kinds of work, since CloudWatch charges for each.
 *
 * @param kind  of the work, for the line of the log
 */
export function recordCrash(
  { log, meter }: { readonly log: Pick<Log, "warn">; readonly meter?: Meter | undefined },
  kind: string,
): void {
  log.warn("a worker ended without a word, and another takes over", { kind });
  meter?.record({ Crashes: 1 }, undefined, { kind });
}
