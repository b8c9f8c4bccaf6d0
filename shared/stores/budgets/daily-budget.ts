import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import * as v from "valibot";
import type { Db } from "../db.ts";
import type { Item } from "../transact.ts";

/** One reservation: what `key` holds of the budget of a user's day. */
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
  /** `spent` is what was used or held at that moment. */
  | { readonly granted: false; readonly spent: BudgetAmount };

/** Version of the stored shape of a day; raised with every change of it. */
export const BUDGET_SHAPE = 1;

/** What a user has used and holds of a day; each hold is an attribute of its own besides. */
export const StoredDay = v.object({
  tokens: v.optional(v.number(), 0),
  cost_nanos: v.optional(v.number(), 0),
  expires_at: v.optional(v.number()),
});

const RETENTION_SECONDS = 7 * 86_400;
/** Whole billionths of a dollar are kept, so that sums are exact. */
const NANOS = 1_000_000_000;

/**
 * Holds an amount of a user's day in one conditional write: it is refused when what is used and held already leaves
 * no room. One item holds the whole day of a user, because a sum over shards could not be a condition.
 *
 *   tokens     what is used and held     ── reserve: + bound, hold#<key> appears
 *   hold#<key> what this call holds      ── settle:  + (used − bound), hold#<key> goes; at most once
 *
 * A request that is sent again after a lost answer finds its own hold, and was granted.
 */
export async function reserveBudget(
  db: Db,
  hold: BudgetHold,
  amount: BudgetAmount,
  limits: Partial<BudgetAmount>,
): Promise<BudgetReserved> {
  const held = { tokens: amount.tokens, cost_nanos: Math.ceil(amount.cost * NANOS) };
  const room = {
    ...(limits.tokens !== undefined && { tokens: limits.tokens - held.tokens }),
    ...(limits.cost !== undefined && { cost_nanos: Math.floor(limits.cost * NANOS) - held.cost_nanos }),
  };
  const update = new UpdateCommand({
    TableName: db.tables.budgets,
    Key: budgetKey(hold),
    UpdateExpression:
      "SET #hold = :hold, expires_at = :expires_at, shape = :shape ADD tokens :tokens, cost_nanos :cost_nanos",
    ConditionExpression: ["attribute_not_exists(#hold)", ...roomConditions(room)].join(" AND "),
    ExpressionAttributeNames: { "#hold": holdName(hold) },
    ExpressionAttributeValues: {
      ":hold": held,
      ":shape": BUDGET_SHAPE,
      ":expires_at": Date.parse(hold.day) / 1000 + RETENTION_SECONDS,
      ":tokens": held.tokens,
      ":cost_nanos": held.cost_nanos,
      ...Object.fromEntries(Object.entries(room).map(([name, value]) => [`:room_${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    await db.client.send(update);
    return { granted: true };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const seen: Item = error.Item ? unmarshall(error.Item) : {};
    return holdName(hold) in seen ? { granted: true } : { granted: false, spent: amountIn(seen) };
  }
}

/**
 * Puts what was used in the place of what was held.
 *
 * @returns false when nothing is held under this key any more: it was settled before
 */
export async function settleBudget(
  db: Db,
  hold: BudgetHold,
  held: BudgetAmount,
  used: BudgetAmount,
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: db.tables.budgets,
    Key: budgetKey(hold),
    UpdateExpression: "REMOVE #hold ADD tokens :tokens, cost_nanos :cost_nanos",
    ConditionExpression: "attribute_exists(#hold)",
    ExpressionAttributeNames: { "#hold": holdName(hold) },
    ExpressionAttributeValues: {
      ":tokens": used.tokens - held.tokens,
      ":cost_nanos": Math.ceil(used.cost * NANOS) - Math.ceil(held.cost * NANOS),
    },
  });
  try {
    await db.client.send(update);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return false;
  }
}

const budgetKey = ({ user_id, day }: BudgetHold) => ({
  pk: `user#${encodeURIComponent(user_id ?? "")}`,
  sk: `day#${day}`,
});

const holdName = ({ key }: BudgetHold): string => `hold#${key}`;

/** A day that nobody has spent of has no sums yet: then there is room if the amount fits the limit at all. */
const roomConditions = (room: Readonly<Record<string, number>>): string[] =>
  Object.entries(room).map(([name, value]) =>
    value < 0 ? `${name} <= :room_${name}` : `(attribute_not_exists(${name}) OR ${name} <= :room_${name})`,
  );

function amountIn(item: Item): BudgetAmount {
  const { tokens, cost_nanos } = v.parse(StoredDay, item);
  return { tokens, cost: cost_nanos / NANOS };
}
