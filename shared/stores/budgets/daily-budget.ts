import * as v from "valibot";
import {
  absent,
  absentOr,
  atMost,
  type Item,
  present,
  type Tests,
  updateItem,
  write,
} from "../../data/index.ts";
import type { Db } from "../db.ts";

/** One reservation: what `key` reserves of a user's budget of a day. */
export type BudgetHold = {
  readonly user_id: string | null;
  /** In UTC, such as `2026-11-21`. */
  readonly day: string;
  readonly key: string;
};

/** Tokens and dollars. */
export type BudgetAmount = { readonly tokens: number; readonly cost: number };

export type BudgetReserved =
  | { readonly granted: true }
  /** `spent` is what was used or reserved at that moment. */
  | { readonly granted: false; readonly spent: BudgetAmount };

/** Version of the stored shape of a day; raised with every change of it. */
export const BUDGET_SHAPE = 1;

/** What a user has used and reserved of a day; each reservation is also an attribute of its own. */
export const StoredDay = v.object({
  tokens: v.optional(v.number(), 0),
  cost_nanos: v.optional(v.number(), 0),
  expires_at: v.optional(v.number()),
});

const RETENTION_SECONDS = 7 * 86_400;
/** Costs are stored in whole billionths of a dollar, so that sums are exact. */
const NANOS = 1_000_000_000;

/**
 * Reserves an amount of a user's day in one conditional write: it is refused when what is used and reserved already
 * leaves no room. One item has the whole day of a user, because a sum over shards could not be a condition.
 *
 *   tokens     what is used and reserved ── reserve: + bound, hold#<key> is set
 *   hold#<key> what this call reserves   ── settle:  + (used − bound), hold#<key> is removed; at most once
 *
 * A request that is sent again after a lost answer finds its own reservation, and is granted.
 */
export async function reserveBudget(
  db: Db,
  hold: BudgetHold,
  amount: BudgetAmount,
  limits: Partial<BudgetAmount>,
): Promise<BudgetReserved> {
  const reserved = { tokens: amount.tokens, cost_nanos: Math.ceil(amount.cost * NANOS) };
  const room = {
    ...(limits.tokens !== undefined && { tokens: limits.tokens - reserved.tokens }),
    ...(limits.cost !== undefined && { cost_nanos: Math.floor(limits.cost * NANOS) - reserved.cost_nanos }),
  };
  const reservation = updateItem("budgets", budgetKey(hold), {
    set: {
      [holdName(hold)]: reserved,
      shape: BUDGET_SHAPE,
      expires_at: Date.parse(hold.day) / 1000 + RETENTION_SECONDS,
    },
    add: reserved,
    guard: { [holdName(hold)]: absent, ...roomFor(room) },
  });
  const result = await write(db, reservation);
  if (result.written) return { granted: true };
  const { seen = {} } = result;
  return holdName(hold) in seen ? { granted: true } : { granted: false, spent: amountIn(seen) };
}

/**
 * Replaces what was reserved with what was used.
 *
 * @returns false when nothing is reserved under this key any more: it was settled before
 */
export async function settleBudget(
  db: Db,
  hold: BudgetHold,
  reserved: BudgetAmount,
  used: BudgetAmount,
): Promise<boolean> {
  const settlement = updateItem("budgets", budgetKey(hold), {
    remove: [holdName(hold)],
    add: {
      tokens: used.tokens - reserved.tokens,
      cost_nanos: Math.ceil(used.cost * NANOS) - Math.ceil(reserved.cost * NANOS),
    },
    guard: { [holdName(hold)]: present },
  });
  return (await write(db, settlement)).written;
}

const budgetKey = ({ user_id, day }: BudgetHold) => ({
  pk: `user#${encodeURIComponent(user_id ?? "")}`,
  sk: `day#${day}`,
});

const holdName = ({ key }: BudgetHold): string => `hold#${key}`;

/** A day without any use has no sums yet: then there is room if the amount fits the limit at all. */
const roomFor = (room: Readonly<Record<string, number>>): Tests =>
  Object.fromEntries(
    Object.entries(room).map(([name, limit]) => [name, limit < 0 ? atMost(limit) : absentOr(atMost(limit))]),
  );

function amountIn(item: Item): BudgetAmount {
  const { tokens, cost_nanos } = v.parse(StoredDay, item);
  return { tokens, cost: cost_nanos / NANOS };
}
