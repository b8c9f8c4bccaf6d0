import * as v from "valibot";
import { notFound, ServiceError } from "../../shared/errors.ts";
import { decodeCursor, encodeCursor } from "../../shared/http/cursor.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { LogEvent, LogGroups, SearchLogs } from "../../shared/runtime/search-logs.ts";
import type { RunLogLine } from "../../shared/schemas/runs/run-log.ts";
import { findRunTimes, type RunTimes } from "../../shared/stores/runs/listing/find-run-times.ts";
import type { QueueDeps } from "./queue-deps.ts";

export type LogDeps = Pick<QueueDeps, "db" | "clock"> & {
  readonly logGroups: LogGroups;
  readonly searchLogs: SearchLogs;
};

/** How long clocks may differ, before the run; and how long its last lines may come after its end. */
const BEFORE_SECONDS = 60;
const AFTER_SECONDS = 900;
/** Shorter than the function lives, so that the refusal is ours. */
const SEARCH_MS = 20_000;

/**
 * One page of the platform's own log lines of a run, the oldest first. Each page searches again from where the last one
 * ended; nothing is stored for it.
 *
 * @throws ServiceError NOT_FOUND for an unknown run; BAD_REQUEST for a cursor that is not of this list; UNAVAILABLE where
 *         the search takes too long or finds too much
 * @decided ours; the interface shows no log
 */
export const getRunLog: Handler<typeof queueRoutes.getRunLog, LogDeps> = async (
  { params: { run_id }, query: { limit, cursor, ...bounds }, signal },
  deps,
) => {
  const now = epochSeconds(deps.clock);
  const times = await findRunTimes(deps.db, run_id, now);
  if (!times) throw notFound("run", run_id);
  const filter = { run_id, ...bounds };
  const after_place = cursor === undefined ? "" : decodeCursor(cursor, filter);
  const span = spanOf(times, bounds, now);
  const lines = (await search(deps, run_id, span, signal)).filter(({ place }) => place > after_place);
  const shown = lines.slice(0, limit);
  const last = shown.at(-1);
  const next_cursor = last && lines.length > limit ? encodeCursor(last.place, filter) : null;
  return { data: shown.map(({ line }) => line), meta: { next_cursor, limit } };
};

type Bounds = { readonly after?: number | undefined; readonly before?: number | undefined };
type Span = { readonly from_ms: number; readonly until_ms: number };

/** When there can be lines of a run. One that has not ended may have some at any time. */
function spanOf({ created_at, ended_at }: RunTimes, { after = 0, before }: Bounds, now: number): Span {
  const last = ended_at === undefined ? now : Math.min(now, ended_at + AFTER_SECONDS);
  return {
    from_ms: Math.max(created_at - BEFORE_SECONDS, after) * 1000,
    until_ms: Math.min(last, before ?? last) * 1000 + 999,
  };
}

/** All lines of a run in this time, in order. */
async function search(
  { logGroups, searchLogs }: LogDeps,
  run_id: string,
  span: Span,
  signal: AbortSignal,
): Promise<PlacedLine[]> {
  if (span.from_ms > span.until_ms) return [];
  const outOfTime = AbortSignal.timeout(SEARCH_MS);
  const asked = { ...span, pattern: patternOf(run_id), signal: AbortSignal.any([signal, outOfTime]) };
  const searches = Object.entries(logGroups).map(async ([name, logGroup]) => {
    const events = await searchLogs({ ...asked, logGroup });
    if (events === "too_many") throw tooMuch("has too many lines");
    return events.flatMap((event) => linesOf(name, event));
  });
  try {
    const lines = (await Promise.all(searches)).flat();
    return lines.sort((a, b) => (a.place < b.place ? -1 : 1));
  } catch (error) {
    if (outOfTime.aborted) throw tooMuch("cannot be searched in time");
    throw error;
  }
}

const tooMuch = (what: string) =>
  new ServiceError("UNAVAILABLE", `the log of this time ${what}; narrow it with after and before`);

/**
 * Finds the lines of a run: those that name it, by whichever of its ids, and records of what was done to it. Figures
 * (`_aws`) have lines of their own, which are no messages; requests that only read would bury the others.
 *
 * @param runId  letters, digits and dashes, as the ids of runs are
 */
function patternOf(runId: string): string {
  const named = ["$.run_id", "$.job_id", "$.target.run_id", "$.target.job_id"];
  const about = named.map((field) => `(${field} = "${runId}")`).join(" || ");
  return `{ (${about}) && ($._aws NOT EXISTS) && (($.method NOT EXISTS) || ($.method != "GET")) }`;
}

/** A line, and where it stands among all lines of its run. */
type PlacedLine = { readonly place: string; readonly line: RunLogLine };

/** What every line has; see `createLog`. */
const Written = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    level: v.string(),
    message: v.string(),
    timestamp: v.optional(v.unknown()),
    service: v.optional(v.unknown()),
    sampling_rate: v.optional(v.unknown()),
    xray_trace_id: v.optional(v.unknown()),
  }),
);

/** Digits of a time in milliseconds, so that times sort as text. */
const MS_DIGITS = 15;

/** An event of a function's log as a line; nothing for what is none of ours. */
function linesOf(name: string, { id, at_ms, text }: LogEvent): PlacedLine[] {
  const written = v.safeParse(Written, text);
  if (!written.success) return [];
  const {
    level,
    message,
    timestamp: _t,
    service: _s,
    sampling_rate: _r,
    xray_trace_id: _x,
    ...fields
  } = written.output;
  return [
    {
      place: `${String(at_ms).padStart(MS_DIGITS, "0")}#${id.slice(-100)}`,
      line: { time: new Date(at_ms).toISOString(), level, function: name, message, fields },
    },
  ];
}
