import { absentOr, below, transact, updateItem, type Write } from "../../data/index.ts";
import { DAY_SECONDS, startOfDay, utcDay } from "../../domain/utc-day.ts";
import type { Db } from "../db.ts";
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
  // Without this a budget of 0 would admit the first of a day.
  if (most === 0 || cost === 0) return "over budget";
  const result = await transact(db, {
    day: updateItem("evals", dayKey(record, now), {
      set: { expires_at: startOfDay(utcDay(now)) + DAY_SECONDS + RETENTION_SECONDS },
      add: { judged: 1 },
      guard: {
        ...(most !== undefined && { judged: absentOr(below(most)) }),
        ...(cost !== undefined && { cost_nanos: absentOr(below(Math.floor(cost * NANOS))) }),
      },
    }),
    evaluation: evalWork.update(id, { set: { admitted: true } }, evalWork.held(worker)),
  });
  if (result.written) return "admitted";
  return result.refused === "day" ? "over budget" : "lost";
}

/** The write that adds what a judge has cost to the day of its component. @param cost dollars; now epoch seconds */
export const addOnlineCost = (record: LeasedEval, cost: number, now: number): Write =>
  updateItem("evals", dayKey(record, now), { add: { cost_nanos: Math.round(cost * NANOS) } });
