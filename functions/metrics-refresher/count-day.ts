import { createDayCount } from "../../shared/domain/metrics/day-count.ts";
import type { UtcDay } from "../../shared/domain/utc-day.ts";
import type { DayFigures } from "../../shared/schemas/traces/metrics.ts";
import type { Db } from "../../shared/stores/db.ts";
import {
  evalsOfDay,
  type MetricsScope,
  readEvalFigures,
  readRunFigures,
  readSessionFigures,
  sessionsOfDay,
} from "../../shared/stores/metrics/index.ts";

/** As many as one batch reads. */
const SESSIONS_AT_A_TIME = 100;
const RUNS_READ_TOGETHER = 20;
const EVALS_AT_A_TIME = 100;

/**
 * Counts a day from its sessions, their runs, and its evaluations. In memory at a time are the runs of some sessions, and
 * one entry for each user, component and model of the day.
 */
export async function countDay(db: Db, scope: MetricsScope, day: UtcDay): Promise<DayFigures> {
  const count = createDayCount();
  for await (const rows of sessionsOfDay(db, scope, day, SESSIONS_AT_A_TIME)) {
    const sessions = await readSessionFigures(db, rows);
    for (let from = 0; from < sessions.length; from += RUNS_READ_TOGETHER) {
      const some = sessions.slice(from, from + RUNS_READ_TOGETHER);
      const runs = await Promise.all(some.map((session) => readRunFigures(db, session)));
      for (const [i, session] of some.entries()) count.add(session, runs[i] ?? []);
    }
  }
  for await (const rows of evalsOfDay(db, scope, day, EVALS_AT_A_TIME)) {
    for (const evaluation of await readEvalFigures(db, rows)) count.addEvaluation(evaluation);
  }
  return count.figures();
}
