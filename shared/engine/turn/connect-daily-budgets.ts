import { utcDay } from "../../domain/utc-day.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Meter } from "../../runtime/metrics/meter.ts";
import { accountNameOf } from "../../schemas/access/account-user-id.ts";
import { type DailyLimitSettings, dailyLimits } from "../../settings/values/daily-limits.ts";
import { type BudgetDay, reserveBudget, settleBudget } from "../../stores/budgets/daily-budget.ts";
import type { Db } from "../../stores/db.ts";
import type { NamedAccount } from "../../stores/service-accounts/account-item.ts";
import { ownerChain } from "../../stores/service-accounts/owner-chain.ts";
import type {
  DailyBudget,
  DailyBudgets,
  Payer,
  RaisedLimits,
  Spending,
  SpendingLimits,
} from "../ports/budget-port.ts";

type Needs = {
  readonly db: Db;
  readonly clock: Pick<Clock, "now">;
  /** Both learn that a budget is nearly spent. */
  readonly log?: Pick<Log, "warn">;
  readonly meter?: Meter;
};

type LimitedPayer = PayingUser & { readonly limits: SpendingLimits };

/**
 * Connects to the daily budgets of all users. A service account spends from the budget of the user who minted it, so
 * that a minted account brings no budget of its own; its own limits, if it has any, count as well. The last one who pays is
 * the deployment, for all users together.
 *
 * Nothing is written for a user while no limit is set.
 */
export function connectDailyBudgets(needs: Needs, settings: DailyLimitSettings): DailyBudgets {
  const { db, clock } = needs;
  const { user, deployment } = dailyLimits(settings);
  const payersOf = cachedPayers(db, clock);
  return async (user_id, key) => {
    const payers = [...(await payersOf(user_id)), ofDeployment];
    const limited = payers.flatMap((one) => {
      const limits = { user, deployment, account: one.limits }[one.payer];
      return limits ? [{ ...one, limits }] : [];
    });
    return limited.length === 0 ? undefined : dailyBudget(needs, limited, key);
  };
}

function dailyBudget(needs: Needs, payers: readonly LimitedPayer[], key: string): DailyBudget {
  const { db, clock } = needs;
  return {
    async reserve(call, atMost, raised = {}) {
      // A reservation is settled on the day on which it was made, also after midnight.
      const day = utcDay(clock.now() / 1000);
      const held: LimitedPayer[] = [];
      const holdOf = ({ of }: LimitedPayer) => ({ of, day, key: `${key}#${call}` });
      const settle = async (spent: Spending) => {
        // A reservation that could not be settled stays held in full, so the payer can spend less, never more.
        await Promise.allSettled(
          held.map(async (one) => reportUse(needs, one, await settleBudget(db, holdOf(one), atMost, spent))),
        );
      };
      for (const one of payers) {
        const limits = raisedLimits(one, raised);
        const reserved = await reserveBudget(db, holdOf(one), atMost, limits);
        if (!reserved.granted) {
          await settle({ tokens: 0, cost: 0 });
          reportUse(needs, one, reserved.spent);
          return { granted: false, payer: one.payer, limits, spent: reserved.spent };
        }
        held.push(one);
      }
      return { granted: true, settle };
    },
  };
}

/** From this part of a budget on, in percent, operators are notified. */
const NEARLY_SPENT = 80;

/** Logs and counts that a budget is nearly spent. @param spent  undefined where it is not known */
function reportUse(
  { log, meter }: Needs,
  { payer, of, limits }: LimitedPayer,
  spent: Spending | undefined,
): void {
  const partOf = (unit: keyof Spending): number => (100 * (spent?.[unit] ?? 0)) / (limits[unit] ?? Infinity);
  const percent = Math.floor(Math.max(partOf("tokens"), partOf("cost")));
  if (percent < NEARLY_SPENT) return;
  log?.warn("a daily budget is nearly spent", { payer, percent, ...(of !== "deployment" && of) });
  meter?.record({ DailyBudgetPercent: percent });
}

/** Only a limit that is set can be raised. */
function raisedLimits({ payer, limits }: LimitedPayer, raised: RaisedLimits): SpendingLimits {
  const { tokens = 0, cost = 0 } = raised[payer] ?? {};
  return {
    ...(limits.tokens !== undefined && { tokens: Math.max(limits.tokens, tokens) }),
    ...(limits.cost !== undefined && { cost: Math.max(limits.cost, cost) }),
  };
}

/** In whose day a call is counted. */
type PayingUser = {
  readonly payer: Payer;
  readonly of: BudgetDay["of"];
  /** Those of an account; the others are settings. */
  readonly limits?: SpendingLimits;
};

const ofDeployment: PayingUser = { payer: "deployment", of: "deployment" };

/** A name's owner never changes; another account of the name may have other limits. */
const CACHE_MS = 60_000;
const MAX_CACHED = 10_000;

/** Reads who pays for a user id, and caches it for a minute. Only service accounts are looked up. */
function cachedPayers(db: Db, clock: Pick<Clock, "now">) {
  const cache = new Map<string, { readonly payers: Promise<PayingUser[]>; readonly readAt: number }>();
  return async (user_id: string | null): Promise<readonly PayingUser[]> => {
    if (user_id === null || accountNameOf(user_id) === undefined) return [{ payer: "user", of: { user_id } }];
    const cached = cache.get(user_id);
    if (cached && clock.now() - cached.readAt < CACHE_MS) return cached.payers;
    if (cache.size >= MAX_CACHED) cache.clear();
    const payers = readPayers(db, user_id);
    cache.set(user_id, { payers, readAt: clock.now() });
    // A failure is not cached.
    payers.catch(() => cache.delete(user_id));
    return payers;
  };
}

/**
 * The user at the end of the chain of owners, and every account on the way that has limits: so an account escapes neither
 * its owner's budget nor its own by minting others. An account without an owner pays for itself.
 */
async function readPayers(db: Db, user_id: string): Promise<PayingUser[]> {
  const { accounts, root } = await ownerChain(db, user_id);
  const limited = accounts.flatMap(({ id, account }): PayingUser[] => {
    const limits = limitsOf(account);
    return limits ? [{ payer: "account", of: { user_id: id }, limits }] : [];
  });
  return [{ payer: "user", of: { user_id: root } }, ...limited];
}

function limitsOf(account: NamedAccount | undefined): SpendingLimits | undefined {
  const { daily_tokens: tokens, daily_cost: cost } = account ?? {};
  if (tokens === undefined && cost === undefined) return undefined;
  return { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) };
}
