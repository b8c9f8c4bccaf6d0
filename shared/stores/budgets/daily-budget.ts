import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import {
  absent,
  absentOr,
  atMost,
  type Item,
  isNot,
  present,
  type Tests,
  updateItem,
  write,
  writeAndRead,
} from "../../data/index.ts";
import type { Db } from "../db.ts";

/** Whose day it is: a user's, or that of all users together. */
export type BudgetDay = {
  readonly of: { readonly user_id: string | null } | "deployment";
  /** In UTC, such as `2026-11-21`. */
  readonly day: string;
};

/**
 * One reservation: what `key` reserves of a day.
 *
 * @decided  The day of a deployment has no attribute for each reservation: with those of all runs the item would have tens of
 *           kilobytes, and every write of it would cost tens of units. It keeps the marks of its last writes instead, in
 *           `MARKS` places and less than 1 KB. A write that the SDK sends again finds its mark and counts once, unless another
 *           write took its place between the two: at 10 writes a second and 100 ms about one in fifty.
 */
export type BudgetHold = BudgetDay & { readonly key: string };

/** Tokens and dollars. */
export type BudgetAmount = { readonly tokens: number; readonly cost: number };

export type BudgetReserved =
  | { readonly granted: true }
  /** `spent` is what was used or reserved at that moment. */
  | { readonly granted: false; readonly spent: BudgetAmount };

/** Version of the stored shape of a day; raised with every change of it. */
export const BUDGET_SHAPE = 1;

/** What was used and reserved of a day; each reservation is also an attribute of its own, or leaves a mark. */
export const StoredDay = v.object({
  tokens: v.optional(v.number(), 0),
  cost_nanos: v.optional(v.number(), 0),
  expires_at: v.optional(v.number()),
});

const RETENTION_SECONDS = 7 * 86_400;
/** Costs are stored in whole billionths of a dollar, so that sums are exact. */
const NANOS = 1_000_000_000;

/**
 * Reserves an amount of a day in one conditional write: it is refused when what is used and reserved already
 * leaves no room. One item has the whole day, because a sum over shards could not be a condition.
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
  const name = holdName(hold);
  const mark = markOf(hold, "reserve");
  const reservation = updateItem("budgets", budgetKey(hold), {
    set: {
      ...(name ? { [name]: reserved } : { [mark.place]: mark.value }),
      shape: BUDGET_SHAPE,
      expires_at: Date.parse(hold.day) / 1000 + RETENTION_SECONDS,
    },
    add: reserved,
    guard: { ...(name ? { [name]: absent } : { [mark.place]: isNot(mark.value) }), ...roomFor(room) },
  });
  const result = await write(db, reservation);
  if (result.written) return { granted: true };
  const { seen = {} } = result;
  const isReserved = name ? name in seen : seen[mark.place] === mark.value;
  return isReserved ? { granted: true } : { granted: false, spent: amountIn(seen) };
}

/**
 * Replaces what was reserved with what was used.
 *
 * @returns what is used and reserved then; undefined when nothing is reserved under this key any more: it was settled before
 */
export async function settleBudget(
  db: Db,
  hold: BudgetHold,
  reserved: BudgetAmount,
  used: BudgetAmount,
): Promise<BudgetAmount | undefined> {
  const name = holdName(hold);
  const mark = markOf(hold, "settle");
  const settlement = updateItem("budgets", budgetKey(hold), {
    ...(name
      ? { remove: [name], guard: { [name]: present } }
      : { set: { [mark.place]: mark.value }, guard: { [mark.place]: isNot(mark.value) } }),
    add: {
      tokens: used.tokens - reserved.tokens,
      cost_nanos: Math.ceil(used.cost * NANOS) - Math.ceil(reserved.cost * NANOS),
    },
  });
  const result = await writeAndRead(db, settlement);
  return result.written ? amountIn(result.item) : undefined;
}

/** What is used and reserved of a day so far. */
export async function readBudgetDay(db: Db, day: BudgetDay): Promise<BudgetAmount> {
  const { Item = {} } = await db.client.send(
    new GetCommand({ TableName: db.tables.budgets, Key: budgetKey(day) }),
  );
  return amountIn(Item);
}

const budgetKey = ({ of, day }: BudgetDay) => ({
  pk: of === "deployment" ? of : `user#${encodeURIComponent(of.user_id ?? "")}`,
  sk: `day#${day}`,
});

const holdName = ({ of, key }: BudgetHold): string | undefined =>
  of === "deployment" ? undefined : `hold#${key}`;

/** Places of marks on the day of a deployment: with 15 bytes for each, the item stays below the 1 KB of one write unit. */
const MARKS = 48;

/** What a write leaves on the day of a deployment, and where. */
function markOf({ key }: BudgetHold, write: "reserve" | "settle"): { place: string; value: string } {
  const digest = createHash("sha256").update(`${write} ${key}`).digest();
  return { place: `m${digest.readUInt32BE() % MARKS}`, value: digest.toString("base64url", 4, 13) };
}

/** A day without any use has no sums yet: then there is room if the amount fits the limit at all. */
const roomFor = (room: Readonly<Record<string, number>>): Tests =>
  Object.fromEntries(
    Object.entries(room).map(([name, limit]) => [name, limit < 0 ? atMost(limit) : absentOr(atMost(limit))]),
  );

function amountIn(item: Item): BudgetAmount {
  const { tokens, cost_nanos } = v.parse(StoredDay, item);
  return { tokens, cost: cost_nanos / NANOS };
}
