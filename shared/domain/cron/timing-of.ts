import type { Schedule } from "../../schemas/schedules/schedule.ts";
import type { Cron } from "./cron.ts";
import { parseCron } from "./parse-cron.ts";
import { canonicalZone } from "./time-zone.ts";

export type Timing = Pick<Schedule, "cron_expr" | "timezone">;

/** The expression of a schedule that only `trigger` runs. */
export const ON_DEMAND = "";

export const isOnDemand = ({ cron_expr }: Pick<Timing, "cron_expr">): boolean => cron_expr === ON_DEMAND;

/**
 * The times of a schedule that was validated when it was stored.
 *
 * @throws Error when it is not valid, or has none: a defect
 */
export function timingOf({ cron_expr, timezone }: Timing): { readonly cron: Cron; readonly zone: string } {
  const parsed = parseCron(cron_expr);
  const zone = canonicalZone(timezone);
  if (!parsed.ok || zone === undefined) throw new Error(`unusable schedule: ${cron_expr} in ${timezone}`);
  return { cron: parsed.cron, zone };
}
