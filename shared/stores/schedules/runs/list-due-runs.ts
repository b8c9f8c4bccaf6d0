import type { ScheduleRunRef } from "../../../schemas/schedule-run.ts";
import type { Db } from "../../db.ts";
import { queryPages } from "../../query-pages.ts";
import { dueShards, dueUntil, refOfKeys } from "./run-keys.ts";

/**
 * Attempts whose time has come: a run that has ended, an answer that never came, a deadline, a retry.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueRuns(db: Db, now: number, most: number): Promise<ScheduleRunRef[]> {
  const shards = await Promise.all(dueShards().map((shard) => dueIn(db, shard, now, most)));
  return shards.flat();
}

async function dueIn(db: Db, shard: string, now: number, most: number): Promise<ScheduleRunRef[]> {
  const due: ScheduleRunRef[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.schedules,
    IndexName: "by_due",
    KeyConditionExpression: "due_shard = :shard AND #due < :until",
    ExpressionAttributeNames: { "#due": "due" },
    ExpressionAttributeValues: { ":shard": shard, ":until": dueUntil(now) },
    Limit: most,
  });
  for await (const { Items = [] } of pages) {
    due.push(...Items.map(({ pk, sk }) => refOfKeys(String(pk), String(sk))));
    if (due.length >= most) break;
  }
  return due;
}
