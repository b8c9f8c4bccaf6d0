import { callerOf } from "../../shared/auth/caller.ts";
import { utcDay } from "../../shared/domain/utc-day.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { metricsRoutes } from "../../shared/routes/metrics.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { dailyLimits } from "../../shared/settings/values/daily-limits.ts";
import { type BudgetDay, readBudgetDay } from "../../shared/stores/budgets/daily-budget.ts";
import { ownerChain } from "../../shared/stores/service-accounts/owner-chain.ts";
import type { MetricsDeps } from "./metrics-deps.ts";

/** What may be spent today, and what was: by the user behind the caller, and for an admin by all users together. */
export const getBudgets: Handler<typeof metricsRoutes.getBudgets, MetricsDeps> = async (
  { query, principal },
  { db, clock, settings },
) => {
  const day = utcDay(epochSeconds(clock));
  const limits = dailyLimits(settings);
  const caller = callerOf(principal);
  const budgetOf = async (of: BudgetDay["of"], { tokens, cost }: { tokens?: number; cost?: number } = {}) => {
    const used = await readBudgetDay(db, { of, day });
    return {
      tokens: { limit: tokens ?? null, used: used.tokens },
      cost: { limit: cost ?? null, used: used.cost },
    };
  };
  const named = caller.seesAll ? (query.user_id ?? caller.user_id) : caller.user_id;
  const { root: user_id } = await ownerChain(db, named ?? null);
  const [user, deployment] = await Promise.all([
    budgetOf({ user_id }, limits.user),
    caller.seesAll ? budgetOf("deployment", limits.deployment) : null,
  ]);
  return { day, user, deployment };
};
