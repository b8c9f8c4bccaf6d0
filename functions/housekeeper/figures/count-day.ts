import { createDayCount, createDayTotal, type DayCount } from "../../../shared/domain/metrics/day-count.ts";
import type { Group } from "../../../shared/domain/metrics/day-groups.ts";
import type { UtcDay } from "../../../shared/domain/utc-day.ts";
import type { DayFigures } from "../../../shared/schemas/traces/metrics.ts";
import type { Db } from "../../../shared/stores/db.ts";
import {
  type DayProgress,
  evalsOfDay,
  type MetricsScope,
  readEntries,
  readEvalFigures,
  readJudgments,
  readRunFigures,
  readSessionFigures,
  saveSlice,
  sessionsOfDay,
} from "../../../shared/stores/metrics/index.ts";

/** As many as one batch reads. */
const SESSIONS_AT_A_TIME = 100;
const RUNS_READ_TOGETHER = 20;
const EVALS_AT_A_TIME = 100;

export type Slices = {
  /** Sessions or evaluations of a slice, at least; a batch is not divided. */
  readonly size: number;
  /** Asked after each slice that was saved. */
  readonly goesOn: () => Promise<boolean>;
};

/** @param figures  undefined when it was stopped between two slices; what was counted is saved then */
export type CountedDay = { readonly progress: DayProgress } & (
  | { readonly figures: DayFigures; readonly groups: readonly Group[] }
  | { readonly figures: undefined }
);

/**
 * Counts a day from its sessions, their runs, and its evaluations. A day of more sessions than a slice has is counted slice by slice,
 * and each is saved. In memory at a time are the entries of one slice, or those of one bucket of all slices, and the runs of some
 * sessions.
 */
export async function countDay(
  db: Db,
  scope: MetricsScope,
  day: UtcDay,
  from: DayProgress,
  { size, goesOn }: Slices,
): Promise<CountedDay> {
  let progress = from;
  let count = createDayCount();
  let counted = 0;
  for await (const { add, rows, next } of batchesOf(db, scope, day, from, size)) {
    await add(count);
    counted += rows;
    if (counted < size) continue;
    progress = await saveSlice(db, scope, day, progress, count.slice(), next);
    [count, counted] = [createDayCount(), 0];
    if (!(await goesOn())) return { progress, figures: undefined };
  }
  const { sums, entries } = count.slice();
  const total = createDayTotal();
  total.addSums(sums);
  if (progress.sums) total.addSums(progress.sums);
  for await (const parts of readEntries(db, scope, day, progress, entries)) total.addEntries(parts);
  return { progress, figures: total.figures(), groups: total.groups() };
}

type Batch = {
  readonly rows: number;
  readonly add: (count: DayCount) => Promise<void>;
  readonly next: DayProgress["next"];
};

/** The sessions of a day, then its evaluations, from where an earlier count has ended. */
async function* batchesOf(
  db: Db,
  scope: MetricsScope,
  day: UtcDay,
  { next: from }: DayProgress,
  most: number,
): AsyncGenerator<Batch, undefined> {
  if (from.list === "sessions") {
    for await (const { rows, next } of sessionsOfDay(
      db,
      scope,
      day,
      Math.min(SESSIONS_AT_A_TIME, most),
      from,
    )) {
      const add = (count: DayCount) => addSessions(db, rows, count);
      yield { rows: rows.length, add, next: { list: "sessions", ...next } };
    }
  }
  const place = from.list === "evaluations" ? from : undefined;
  for await (const { rows, next } of evalsOfDay(db, scope, day, Math.min(EVALS_AT_A_TIME, most), place)) {
    const add = async (count: DayCount) => {
      for (const evaluation of await readEvalFigures(db, rows)) count.addEvaluation(evaluation);
    };
    yield { rows: rows.length, add, next: { list: "evaluations", ...next } };
  }
  return undefined;
}

async function addSessions(
  db: Db,
  rows: Parameters<typeof readSessionFigures>[1],
  count: DayCount,
): Promise<void> {
  const sessions = await readSessionFigures(db, rows);
  for (let from = 0; from < sessions.length; from += RUNS_READ_TOGETHER) {
    const some = sessions.slice(from, from + RUNS_READ_TOGETHER);
    const runs = await Promise.all(some.map((session) => readRunFigures(db, session)));
    const ids = runs.flat().map(({ run_id }) => run_id);
    const judgments = await readJudgments(db, ids);
    for (const [i, session] of some.entries()) {
      const judged = (runs[i] ?? []).map((run) => ({ ...run, judgment: judgments.get(run.run_id) }));
      count.add(session, judged);
    }
  }
}
