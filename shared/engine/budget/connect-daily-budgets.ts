import { utcDay } from "../../domain/utc-day.ts";
import type { Clock } from "../../runtime/clock.ts";
import { reserveBudget, settleBudget } from "../../stores/budgets/daily-budget.ts";
import type { Db } from "../../stores/db.ts";
import type {
  DailyBudget,
  DailyBudgets,
  DailyLimits,
  Payer,
  Spending,
  SpendingLimits,
} from "../ports/budget-port.ts";
import { cachedPayers } from "./payers.ts";

type Needs = { readonly db: Db; readonly clock: Pick<Clock, "now"> };

type Settings = { readonly DAILY_TOKENS_PER_USER: number; readonly DAILY_COST_PER_USER: number };

/** The user first: a service account's own limit is meant to be the smaller one, and is asked when the user has room. */
const payers: readonly Payer[] = ["user", "account"];

/**
 * Connects to the daily budgets of all users. A service account spends from the budget of the user who minted it, so
 * that a minted account brings no budget of its own; its own limits, if it has any, count besides.
 *
 * Nothing is read or written for a user while no limit is set.
 */
export function connectDailyBudgets({ db, clock }: Needs, settings: Settings): DailyBudgets {
  const perUser = limitsFrom(settings);
  const payersOf = cachedPayers(db, clock);
  return async (user_id, key) => {
    const { user, account, accountLimits } = await payersOf(user_id);
    const limits = { ...(perUser && { user: perUser }), ...(accountLimits && { account: accountLimits }) };
    if (!limits.user && !limits.account) return undefined;
    return dailyBudget({ db, clock }, { user, account }, limits, key);
  };
}

function dailyBudget(
  { db, clock }: Needs,
  ids: Readonly<Record<Payer, string | null>>,
  limits: DailyLimits,
  key: string,
): DailyBudget {
  return {
    limits,
    async reserve(call, atMost, allowed) {
      // A reservation is settled on the day on which it was made, also after midnight.
      const hold = (payer: Payer) => ({
        user_id: ids[payer],
        day: utcDay(clock.now() / 1000),
        key: `${key}#${call}`,
      });
      const held: ReturnType<typeof hold>[] = [];
      const settle = async (spent: Spending) => {
        // A reservation that could not be settled stays held in full, so the payer can spend less, never more.
        await Promise.allSettled(held.map((one) => settleBudget(db, one, atMost, spent)));
      };
      for (const payer of payers) {
        const most = allowed[payer];
        if (!most) continue;
        const wanted = hold(payer);
        const reserved = await reserveBudget(db, wanted, atMost, most);
        if (!reserved.granted) {
          await settle({ tokens: 0, cost: 0 });
          return { granted: false, payer, spent: reserved.spent };
        }
        held.push(wanted);
      }
      return { granted: true, settle };
    },
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
