import { utcDay } from "../../domain/utc-day.ts";
import type { Clock } from "../../runtime/clock.ts";
import { reserveBudget, settleBudget } from "../../stores/budgets/daily-budget.ts";
import type { Db } from "../../stores/db.ts";
import type {
  DailyBudget,
  DailyBudgets,
  RaisedLimits,
  Spending,
  SpendingLimits,
} from "../ports/budget-port.ts";
import { cachedPayers, type PayingUser } from "./payers.ts";

type Needs = { readonly db: Db; readonly clock: Pick<Clock, "now"> };

type Settings = { readonly DAILY_TOKENS_PER_USER: number; readonly DAILY_COST_PER_USER: number };

type LimitedPayer = PayingUser & { readonly limits: SpendingLimits };

/**
 * Connects to the daily budgets of all users. A service account spends from the budget of the user who minted it, so
 * that a minted account brings no budget of its own; its own limits, if it has any, count as well.
 *
 * Nothing is written for a user while no limit is set.
 */
export function connectDailyBudgets({ db, clock }: Needs, settings: Settings): DailyBudgets {
  const perUser = limitsFrom(settings);
  const payersOf = cachedPayers(db, clock);
  return async (user_id, key) => {
    const payers = await payersOf(user_id);
    const limited = payers.flatMap((one) => {
      const limits = one.payer === "user" ? perUser : one.limits;
      return limits ? [{ ...one, limits }] : [];
    });
    return limited.length === 0 ? undefined : dailyBudget({ db, clock }, limited, key);
  };
}

function dailyBudget({ db, clock }: Needs, payers: readonly LimitedPayer[], key: string): DailyBudget {
  return {
    limitsCost: payers.some(({ limits }) => limits.cost !== undefined),
    async reserve(call, atMost, raised = {}) {
      // A reservation is settled on the day on which it was made, also after midnight.
      const day = utcDay(clock.now() / 1000);
      const held: Parameters<typeof settleBudget>[1][] = [];
      const settle = async (spent: Spending) => {
        // A reservation that could not be settled stays held in full, so the payer can spend less, never more.
        await Promise.allSettled(held.map((one) => settleBudget(db, one, atMost, spent)));
      };
      for (const one of payers) {
        const limits = raisedLimits(one, raised);
        const hold = { user_id: one.id, day, key: `${key}#${call}` };
        const reserved = await reserveBudget(db, hold, atMost, limits);
        if (!reserved.granted) {
          await settle({ tokens: 0, cost: 0 });
          return { granted: false, payer: one.payer, limits, spent: reserved.spent };
        }
        held.push(hold);
      }
      return { granted: true, settle };
    },
  };
}

/** Only a limit that is set can be raised. */
function raisedLimits({ payer, limits }: LimitedPayer, raised: RaisedLimits): SpendingLimits {
  const { tokens = 0, cost = 0 } = raised[payer] ?? {};
  return {
    ...(limits.tokens !== undefined && { tokens: Math.max(limits.tokens, tokens) }),
    ...(limits.cost !== undefined && { cost: Math.max(limits.cost, cost) }),
  };
}

/** @returns undefined when neither limit is set; 0 switches one off */
function limitsFrom({
  DAILY_TOKENS_PER_USER: tokens,
  DAILY_COST_PER_USER: cost,
}: Settings): SpendingLimits | undefined {
  if (tokens === 0 && cost === 0) return undefined;
  return { ...(tokens > 0 && { tokens }), ...(cost > 0 && { cost }) };
}
