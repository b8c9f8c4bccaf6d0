import { utcDay } from "../../domain/utc-day.ts";
import type { Clock } from "../../runtime/clock.ts";
import { reserveBudget, settleBudget } from "../../stores/budgets/daily-budget.ts";
import type { Db } from "../../stores/db.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { DailyBudget, SpendingLimits } from "../ports/budget-port.ts";

type Deps = { readonly db: Db; readonly clock: Pick<Clock, "now">; readonly dailyLimits?: SpendingLimits };

/**
 * The daily budget that a run of this user spends from; undefined when none is set, and then nothing is written.
 *
 * @param attempt  part of a reservation's key: an attempt never settles the reservation of another one
 */
export function connectDailyBudget(
  { db, clock, dailyLimits }: Deps,
  run: StoredRun,
  attempt: number,
): DailyBudget | undefined {
  if (!dailyLimits) return undefined;
  const user_id = run.output.user_id ?? null;
  return {
    limits: dailyLimits,
    reserve: async (call, atMost, limits) => {
      // A reservation is settled on the day on which it was made, also after midnight.
      const hold = { user_id, day: utcDay(clock.now() / 1000), key: `${run.run_id}#${attempt}#${call}` };
      const reserved = await reserveBudget(db, hold, atMost, limits);
      if (!reserved.granted) return reserved;
      const settle = (spent: typeof atMost) =>
        settleBudget(db, hold, atMost, spent).then(
          () => undefined,
          // A reservation that could not be settled stays held in full, so the user can spend less, never more.
          () => undefined,
        );
      return { granted: true, settle };
    },
  };
}

/** @returns undefined when neither limit is set; 0 switches one off */
export function dailyLimitsFrom(settings: {
  readonly DAILY_TOKENS_PER_USER: number;
  readonly DAILY_COST_PER_USER: number;
}): SpendingLimits | undefined {
  const { DAILY_TOKENS_PER_USER: tokens, DAILY_COST_PER_USER: cost } = settings;
  if (tokens === 0 && cost === 0) return undefined;
  return { ...(tokens > 0 && { tokens }), ...(cost > 0 && { cost }) };
}
