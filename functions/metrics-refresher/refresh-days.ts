import type { RefreshCall } from "../../shared/domain/metrics/refresh-call.ts";
import { lastFinalDay } from "../../shared/domain/metrics/refresh-rules.ts";
import { type UtcDay, utcDay } from "../../shared/domain/utc-day.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  completeRefresh,
  failRefresh,
  listDays,
  type MetricsScope,
  nextCountedDay,
  openSlices,
  putBreakdown,
  putDay,
  type RefreshProgress,
  removeBreakdown,
  removeDay,
  removeSlices,
  saveRefresh,
} from "../../shared/stores/metrics/index.ts";
import { countDay } from "./count-day.ts";
import type { RefresherDeps } from "./refresher-deps.ts";

/** Time that a day, or a slice of it, should have; with less left, none is started. */
const DAY_MS = 60_000;

/**
 * Computes every day of a scope that is not final, the oldest first. Each is written when it is done, so after a crash
 * the next refresh continues at the day where it happened; a day of many sessions at its slice.
 *
 *   final, final │ open, open, today      computed again every time, from what is stored now
 *          final_through
 *
 * A call that comes twice, or after another refresh has begun, finds that it is not the one that runs.
 *
 * @param remainingMs  how long this process will live
 * @throws what made it fail, once that is on record
 */
export async function refreshDays(
  deps: RefresherDeps,
  { refresh_id, user_id }: RefreshCall,
  remainingMs: number,
): Promise<void> {
  const { db, clock, log } = deps;
  const end = clock.now() + remainingMs;
  const refresh: Refresh = { deps, scope: { user_id }, refresh_id, until: Math.ceil(end / 1000) + 1 };
  const started = await recordProgress(refresh, {});
  if (!started) return;
  try {
    await computeDays(refresh, started.final_through, end - DAY_MS);
  } catch (error) {
    log.error("metrics could not be refreshed", { refresh_id, error });
    await failRefresh(db, refresh.scope, refresh, { error: BROKEN_OFF, now: epochSeconds(clock) });
    throw error;
  }
}

type Refresh = {
  readonly deps: RefresherDeps;
  readonly scope: MetricsScope;
  readonly refresh_id: string;
  /** Epoch seconds at which this process will have ended. */
  readonly until: number;
};

const recordProgress = (
  { deps, scope, refresh_id, until }: Refresh,
  progress: Omit<RefreshProgress, "until">,
) => saveRefresh(deps.db, scope, { refresh_id }, { until, ...progress });

/** @param latest epoch milliseconds after which no day is started */
async function computeDays(
  refresh: Refresh,
  finalThrough: UtcDay | undefined,
  latest: number,
): Promise<void> {
  const { deps, scope } = refresh;
  const { db, clock } = deps;
  const today = utcDay(epochSeconds(clock));
  const known = await listDays(db, scope, { from: finalThrough });
  const stale = new Set(known.map(({ day }) => day).filter((day) => day !== finalThrough));
  let readSince = epochSeconds(clock);
  let day = await nextCountedDay(db, scope, finalThrough);
  while (day !== undefined && day <= today) {
    if (clock.now() > latest) return outOfTime(refresh);
    const begunAt = await computeDay(refresh, day, latest);
    if (begunAt === undefined) return;
    readSince = Math.min(readSince, begunAt);
    stale.delete(day);
    day = await nextCountedDay(db, scope, day);
  }
  for (const gone of stale) {
    await removeBreakdown(db, scope, gone);
    await removeDay(db, scope, gone);
  }
  const final_through = [finalThrough ?? "", lastFinalDay(readSince)].sort()[1] ?? "";
  await completeRefresh(db, scope, refresh, { final_through, now: epochSeconds(clock) });
}

/**
 * Computes a day, in slices where it is large.
 *
 * @returns when the first of it was read, epoch seconds; undefined when another refresh has taken over, or when there was no time left
 *          for its next slice: then that is on record, and what was counted is saved
 */
async function computeDay(refresh: Refresh, day: UtcDay, latest: number): Promise<number | undefined> {
  const { deps, scope, refresh_id } = refresh;
  const { db, clock } = deps;
  const now = epochSeconds(clock);
  let isOurs = true;
  const goesOn = async (): Promise<boolean> => {
    isOurs = (await recordProgress(refresh, {})) !== undefined;
    return isOurs && clock.now() <= latest;
  };
  const before = await openSlices(db, scope, day, now);
  const counted = await countDay(db, scope, day, before, { size: deps.sliceSize, goesOn });
  const { progress, figures } = counted;
  if (figures === undefined) {
    if (isOurs) await outOfTime(refresh);
    return undefined;
  }
  // First: a process that dies now leaves nothing that a later refresh would take for the newest figures.
  await removeSlices(db, scope, day, progress);
  await putBreakdown(db, scope, { day, groups: counted.groups });
  await putDay(db, scope, { day, ...figures, refresh_id, created_at: now, updated_at: now });
  const { begun_at } = progress;
  const final_through = day <= lastFinalDay(begun_at) ? day : undefined;
  const recorded = await recordProgress(refresh, { final_through, days_updated_at: now });
  return recorded && begun_at;
}

async function outOfTime({ deps, scope, refresh_id }: Refresh): Promise<void> {
  const now = epochSeconds(deps.clock);
  await failRefresh(deps.db, scope, { refresh_id }, { error: OUT_OF_TIME, now });
}

const BROKEN_OFF =
  "The figures could not be computed; the log of the metrics refresher says why. Days that were computed stay: refresh again to go on.";
const OUT_OF_TIME =
  "There was more to compute than one refresh has time for. What was computed stays: refresh again within the hour to go on.";
