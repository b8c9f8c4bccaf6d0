import { DAY_SECONDS, startOfDay, utcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
import { transact, type Write } from "../transact.ts";
import type { LeasedEval } from "./eval-item.ts";
import { evalWork } from "./eval-work.ts";

/** Costs are stored in whole billionths of a dollar, so that sums are exact. */
const NANOS = 1_000_000_000;
/** A day is kept for so long after its end. */
const RETENTION_SECONDS = 7 * DAY_SECONDS;

/** What the judges of a component's runs have done on a day: `judged` runs for `cost_nanos`. */
const dayKey = ({ agent_id, team_id }: LeasedEval, now: number) => ({
  pk: `online#${agent_id === null ? "team" : "agent"}#${agent_id ?? team_id}`,
  sk: `day#${utcDay(now)}`,
});

/**
 * Counts an evaluation in the day of its component, once, if the day's budget has room. In one transaction with the mark
 * on the evaluation, so that the next worker after a crash does not count it again.
 *
 * @param now  epoch seconds
 * @returns    `lost` when another worker has the evaluation by now
 */
export async function admitOnline(
  db: Db,
  record: LeasedEval,
  now: number,
): Promise<"admitted" | "over budget" | "lost"> {
  const { id, worker, online, admitted } = record;
  if (!online || admitted) return "admitted";
  const { daily_evaluations: most, daily_cost: cost } = online;
  const room = [
    ...(most === undefined ? [] : ["(attribute_not_exists(judged) OR judged < :most)"]),
    ...(cost === undefined ? [] : ["(attribute_not_exists(cost_nanos) OR cost_nanos < :cost)"]),
  ];
  // Without this a budget of 0 would admit the first of a day.
  if (most === 0 || cost === 0) return "over budget";
  const TableName = db.tables.evals;
  const counted: Write = {
    Update: {
      TableName,
      Key: dayKey(record, now),
      UpdateExpression: "SET expires_at = :expires ADD judged :one",
      ...(room.length > 0 && { ConditionExpression: room.join(" AND ") }),
      ExpressionAttributeValues: {
        ":one": 1,
        ":expires": startOfDay(utcDay(now)) + DAY_SECONDS + RETENTION_SECONDS,
        ...(most !== undefined && { ":most": most }),
        ...(cost !== undefined && { ":cost": Math.floor(cost * NANOS) }),
      },
    },
  };
  const marked = { Update: evalWork.update(db, id, { set: { admitted: true } }, evalWork.held(worker)) };
  const result = await transact(db, () => [counted, marked]);
  if (result.written) return "admitted";
  return result.entry === 0 ? "over budget" : "lost";
}

/** The entry that adds what a judge has cost to the day of its component. @param cost dollars; now epoch seconds */
export const addOnlineCost = (db: Db, record: LeasedEval, cost: number, now: number): Write => ({
  Update: {
    TableName: db.tables.evals,
    Key: dayKey(record, now),
    UpdateExpression: "ADD cost_nanos :cost",
    ExpressionAttributeValues: { ":cost": Math.round(cost * NANOS) },
  },
});
