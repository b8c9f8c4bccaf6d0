import { nextRun } from "../../shared/domain/cron/next-run.ts";
import { parseCron } from "../../shared/domain/cron/parse-cron.ts";
import { canonicalZone } from "../../shared/domain/cron/time-zone.ts";
import type { Schedule } from "../../shared/schemas/schedule.ts";

/**
 * The first slot of a schedule after an instant, both epoch seconds; null when there is none.
 *
 * @throws when the schedule holds what no schedule is created with
 */
export function nextSlot(
  { cron_expr, timezone }: Pick<Schedule, "cron_expr" | "timezone">,
  after: number,
): number | null {
  const parsed = parseCron(cron_expr);
  const zone = canonicalZone(timezone);
  if (!parsed.ok || zone === undefined) throw new Error(`${cron_expr} in ${timezone} is no schedule`);
  return nextRun(parsed.cron, zone, after) ?? null;
}
