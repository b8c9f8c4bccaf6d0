import { outputOf } from "../../shared/domain/runs/outcome-of-run.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { scheduleRoutes } from "../../shared/routes/schedules.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { type StoredScheduleRun, wireScheduleRun } from "../../shared/stores/schedules/index.ts";
import type { SchedulesDeps } from "./schedules-deps.ts";
import { visibleScheduleRun } from "./visible-schedule-run.ts";

type Needs = Pick<SchedulesDeps, "db" | "clock">;

export const getScheduleRun: Handler<typeof scheduleRoutes.getScheduleRun, Needs> = async (
  { params, principal },
  { db, clock },
) => {
  const now = epochSeconds(clock);
  const run = await visibleScheduleRun(db, principal, params, now);
  return { ...wireScheduleRun(run), ...(run.output_cut && (await wholeOutput(db, run, now))) };
};

/** A long answer is stored with its run; the record has its beginning. */
async function wholeOutput(
  db: Db,
  { run_id, session_id, run_owner = null }: StoredScheduleRun,
  now: number,
): Promise<Pick<StoredScheduleRun, "output"> | undefined> {
  if (run_id === null || session_id === null) return undefined;
  const output = outputOf((await getRun(db, { owner: run_owner, session_id, run_id }, now))?.output);
  return output ? { output } : undefined;
}
