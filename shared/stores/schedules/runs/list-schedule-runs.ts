import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { anyOf, below, isNew, putItem, write } from "../../../data/index.ts";
import { type Db, queryPages } from "../../db.ts";
import { schedulePartition } from "../schedule-item.ts";
import { DAY_SECONDS, dayOf, RETENTION_DAYS, type StoredScheduleRun, scheduleRunFrom } from "./run-item.ts";
import { dueOfKey, RUN_PREFIX, runsFrom, runTallyKey } from "./run-keys.ts";

export type ScheduleRunsFound = { readonly runs: StoredScheduleRun[]; readonly total: number };

/**
 * One page of the attempts of a schedule, the newest first, and how many there are.
 *
 * @param page  counted from 1
 * @param now   epoch seconds
 */
export async function listScheduleRuns(
  db: Db,
  scheduleId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
  now: number,
): Promise<ScheduleRunsFound> {
  const total = await countScheduleRuns(db, scheduleId, now);
  const [from, until] = [(page - 1) * limit, page * limit];
  if (from >= total) return { runs: [], total };
  const runs = await latestScheduleRuns(db, scheduleId, until, now);
  return { runs: runs.slice(from), total };
}

/** The newest attempts of a schedule, the newest first. @param now epoch seconds */
export async function latestScheduleRuns(
  db: Db,
  scheduleId: string,
  most: number,
  now: number,
): Promise<StoredScheduleRun[]> {
  const runs: StoredScheduleRun[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
    ExpressionAttributeValues: { ":pk": schedulePartition(scheduleId), ":run": RUN_PREFIX },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: most,
  });
  for await (const { Items = [] } of pages) {
    runs.push(...Items.map(scheduleRunFrom).filter(({ expires_at }) => expires_at > now));
    if (runs.length >= most) break;
  }
  return runs.slice(0, most);
}

/**
 * How many attempts a schedule has of each past day. Attempts never move to another day, and those of one day expire
 * together, so a count stays exact; lists count only the days after it.
 */
const Tally = v.object({
  /** Days since the epoch: the last one that is counted. */
  through: v.number(),
  /** By day. */
  counts: v.record(v.string(), v.number()),
  version: v.number(),
});
type Tally = v.InferOutput<typeof Tally>;

/** No attempt is created this many days after its slot: missing slots are not searched that far back. */
const SETTLED_DAYS = 2;
/** The tally is advanced when at least this many attempts after it would be counted by every list. */
const ADVANCE_AFTER = 200;

/** @param now epoch seconds */
async function countScheduleRuns(db: Db, scheduleId: string, now: number): Promise<number> {
  const tally = await getTally(db, scheduleId, now);
  const fresh = await countDays(db, scheduleId, tally.through + 1);
  const counts = { ...tally.counts, ...fresh };
  const unexpired = Object.entries(counts).filter(([day]) => Number(day) >= oldestDay(now));
  const settled = dayOf(now) - SETTLED_DAYS;
  if (sumOf(Object.entries(fresh).filter(([day]) => Number(day) <= settled)) >= ADVANCE_AFTER) {
    const saved = unexpired.filter(([day]) => Number(day) <= settled);
    await replaceTally(db, scheduleId, {
      through: settled,
      counts: Object.fromEntries(saved),
      version: tally.version + 1,
    });
  }
  return sumOf(unexpired);
}

const oldestDay = (now: number): number => dayOf(now) - RETENTION_DAYS;
const sumOf = (counts: readonly (readonly [string, number])[]): number =>
  counts.reduce((sum, [, count]) => sum + count, 0);

async function getTally(db: Db, scheduleId: string, now: number): Promise<Tally> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key: runTallyKey(scheduleId) }),
  );
  return Item ? v.parse(Tally, Item) : { through: oldestDay(now) - 1, counts: {}, version: 0 };
}

async function countDays(db: Db, scheduleId: string, from: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :end",
    ExpressionAttributeValues: {
      ":pk": schedulePartition(scheduleId),
      ":from": runsFrom(from * DAY_SECONDS),
      ":end": `${RUN_PREFIX}~`,
    },
    ProjectionExpression: "sk",
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) {
    for (const { sk } of Items) {
      const day = dayOf(dueOfKey(String(sk)));
      counts[day] = (counts[day] ?? 0) + 1;
    }
  }
  return counts;
}

/** A refused write does no harm: the other process has counted the same. */
async function replaceTally(db: Db, scheduleId: string, tally: Tally): Promise<void> {
  const item = { ...runTallyKey(scheduleId), ...tally };
  await write(db, putItem("schedules", item, anyOf(isNew, { version: below(tally.version) })));
}

/** The due times of a schedule's attempts between two instants; all in epoch seconds. */
export async function listSlotsOnRecord(
  db: Db,
  scheduleId: string,
  from: number,
  until: number,
): Promise<ReadonlySet<number>> {
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :until",
    ExpressionAttributeValues: {
      ":pk": schedulePartition(scheduleId),
      ":from": runsFrom(from),
      ":until": runsFrom(until + 1),
    },
    ProjectionExpression: "sk",
    ConsistentRead: true,
  });
  const found = new Set<number>();
  for await (const { Items = [] } of pages) for (const { sk } of Items) found.add(dueOfKey(String(sk)));
  return found;
}
