import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { type Item, isNot, updateItem, writeAndRead } from "../../data/index.ts";
import { DAY_SECONDS } from "../../domain/utc-day.ts";
import { type UserDataCounts, type UserRemoval, userDataKinds } from "../../schemas/databases/user-data.ts";
import { defineWork, doubling } from "../../work/index.ts";
import { type Db, queryPages } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const USER_REMOVAL_SHAPE = 1;

/** A request to remove everything of a user. */
export const StoredUserRemoval = v.object({
  user_id: v.string(),
  status: v.picklist(["removing", "completed"]),
  requested_by: v.nullable(v.string()),
  /** What was removed so far, by kind; at least, since a process may die before it writes down its last step. */
  removed: v.record(v.string(), v.number()),
  /** Passes over everything; each one finds less. */
  passes: v.number(),
  /** Epoch seconds. */
  requested_at: v.number(),
  updated_at: v.number(),
  completed_at: v.optional(v.number()),
  expires_at: v.optional(v.number()),
  due_at: v.optional(v.number()),
  /** The process that has claimed it, and until when; epoch seconds. */
  worker: v.optional(v.string()),
  busy_until: v.optional(v.number()),
});
export type StoredUserRemoval = v.InferOutput<typeof StoredUserRemoval>;

const REMOVALS = "user-removals";
export const userRemovalKey = (userId: string) => ({ pk: REMOVALS, sk: encodeURIComponent(userId) });

/** @throws when the item is not a removal of a shape that this code reads */
const removalFrom = (item: Item): StoredUserRemoval => v.parse(StoredUserRemoval, item);

/** How long it stays on record that everything of a user was removed. */
const KEPT_SECONDS = 30 * DAY_SECONDS;

/** After a pass the next one begins, until one finds nothing: indexes lag, and a run that is being executed ends later. */
const nextPassAfter = doubling({ base: 5, most: 20 });

/** A removal. Requests are few, so each of a month is read to find those that are due. */
export const userRemovalWork = defineWork({
  kind: "user_removal",
  table: "databases",
  keyOf: userRemovalKey,
  read: removalFrom,
  open: { status: "removing" },
  lease: { holder: "worker", time: "busy_until", seconds: 120, renewals: 3, settlingSeconds: 1 },
  // What a person has a right to is not given up.
  retry: { stallsOf: () => 0, most: 0 },
  due: {
    attributes: (_userId: string, at) => ({ due_at: at }),
    list: async (db, now) => {
      const due: { row: Item; dueAt: number }[] = [];
      const pages = queryPages(db, {
        TableName: db.tables.databases,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": REMOVALS },
      });
      for await (const { Items = [] } of pages) {
        for (const { user_id, due_at } of Items.map(removalFrom))
          if (due_at !== undefined && due_at <= now) due.push({ row: { user_id }, dueAt: due_at });
      }
      return due;
    },
  },
  message: ({ user_id }) => ({ removed_user_id: String(user_id) }),
});

/**
 * Records that everything of a user is to be removed: from then on the request survives every crash. One under way stays as
 * it is.
 *
 * @param now  epoch seconds
 */
export async function requestUserRemoval(
  db: Db,
  user_id: string,
  requested_by: string | null,
  now: number,
): Promise<StoredUserRemoval> {
  const set = {
    ...{ user_id, requested_by, status: "removing", removed: {}, passes: 0, due_at: now },
    ...{ requested_at: now, updated_at: now, shape: USER_REMOVAL_SHAPE },
  };
  const requested = await writeAndRead(
    db,
    updateItem("databases", userRemovalKey(user_id), {
      set,
      remove: ["completed_at", "expires_at", "worker", "busy_until"],
      guard: { status: isNot("removing") },
    }),
  );
  if (requested.written) return removalFrom(requested.item);
  if (!requested.seen) throw new Error("a removal that does not exist refused its request");
  return removalFrom(requested.seen);
}

/** The current or last removal; undefined where none was requested for a month. @param now epoch seconds */
export async function getUserRemoval(
  db: Db,
  userId: string,
  now: number,
): Promise<StoredUserRemoval | undefined> {
  const Key = userRemovalKey(userId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.databases, Key, ConsistentRead: true }),
  );
  if (!Item || Number(Item.expires_at ?? Number.POSITIVE_INFINITY) <= now) return undefined;
  return removalFrom(Item);
}

/**
 * The last write of a pass.
 *
 * @param foundNothing  whether nothing was left when the pass began
 * @param now           epoch seconds
 * @returns             after how many seconds the next pass begins; undefined where there is none
 */
export async function endPass(
  db: Db,
  { user_id, passes, removed }: StoredUserRemoval,
  worker: string,
  foundNothing: boolean,
  now: number,
): Promise<number | undefined> {
  const next = foundNothing ? undefined : nextPassAfter(passes);
  const done = { status: "completed", completed_at: now, expires_at: now + KEPT_SECONDS } as const;
  await userRemovalWork.release(db, user_id, worker, {
    set: { ...(foundNothing && done), removed, passes: passes + 1, updated_at: now },
    due: next === undefined ? null : now + next,
  });
  return next;
}

/** The removal as the wire shows it. */
export function wireUserRemoval(stored: StoredUserRemoval): UserRemoval {
  const { status, requested_at, requested_by, updated_at, completed_at = null, removed } = stored;
  return { status, requested_at, requested_by, updated_at, completed_at, removed: allCounts(removed) };
}

/** A number for each kind. */
export const allCounts = (counted: Readonly<Record<string, number>>): UserDataCounts =>
  // One entry for each kind of the list; `Object.fromEntries` loses their names.
  Object.fromEntries(userDataKinds.map((kind) => [kind, counted[kind] ?? 0])) as UserDataCounts;
