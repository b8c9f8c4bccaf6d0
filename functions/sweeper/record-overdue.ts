import type { Meter } from "../../shared/runtime/metrics/meter.ts";

/** What is due is worked on within seconds: only what is late is measured, since a metric of an idle service would cost money. */
const LATE_SECONDS = 300;

/**
 * Records for how long work has been due that no worker has claimed, where that is for minutes.
 *
 * @param kind  of the work, for the line of the log
 */
export function recordOverdue(meter: Meter | undefined, kind: string, seconds: number): void {
  if (seconds >= LATE_SECONDS) meter?.record({ OverdueWorkSeconds: seconds }, undefined, { kind });
}
