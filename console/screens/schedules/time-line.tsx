import { useMemo } from "react";
import type { Schedule, ScheduleRun } from "../../../client/index.ts";
import { countText } from "../../parts/amounts.ts";
import { statusText } from "../../parts/badge.tsx";
import { exactText, useNow } from "../../parts/time.tsx";
import { LINE_RUNS, useLatestRuns } from "./use-schedules.ts";
import { nextTimes } from "./when.ts";

const DAY = 86_400;
/** More slots than this in a day are a band: single marks could not be distinguished. */
const MOST_MARKS = 48;

/** What was in the last day, and what will be in the next one. */
export function TimeLine({
  schedule,
  tall = false,
}: {
  readonly schedule: Schedule;
  readonly tall?: boolean;
}) {
  const { data } = useLatestRuns(schedule.id);
  const minute = Math.floor(useNow() / 60_000) * 60;
  const next = useMemo(
    () => (schedule.enabled ? nextTimes(schedule, minute, MOST_MARKS + 1, minute + DAY) : []),
    [schedule, minute],
  );
  const runs = (data?.data ?? []).filter(({ triggered_at }) => triggered_at > minute - DAY);
  const isBand = next.length > MOST_MARKS;
  const oldest = data && data.meta.total_count > LINE_RUNS ? data.data.at(-1)?.triggered_at : undefined;
  const at = (time: number): string =>
    `${Math.min(100, Math.max(0, ((time - minute + DAY) / (2 * DAY)) * 100))}%`;
  return (
    <div
      className={tall ? "time-line time-line-tall" : "time-line"}
      role="img"
      aria-label={summaryOf(runs, next, isBand)}
    >
      <span className="time-line-base" />
      {oldest !== undefined && oldest > minute - DAY && (
        <span
          className="time-line-unread"
          style={{ left: 0, width: at(oldest) }}
          title={`Only the latest ${LINE_RUNS} attempts are drawn`}
        />
      )}
      {isBand && <span className="time-line-band" title="More than two an hour" />}
      {!isBand &&
        next.map((time) => (
          <span
            key={time}
            className="slot slot-next"
            style={{ left: at(time) }}
            title={`Next: ${exactText(time)}`}
          />
        ))}
      {runs.map((run) => (
        <span
          key={run.id}
          className={`slot slot-${run.status}`}
          style={{ left: at(run.triggered_at) }}
          title={`${statusText(run.status)}: ${exactText(run.triggered_at)}${run.attempt > 1 ? `, attempt ${run.attempt}` : ""}`}
        />
      ))}
      <span className="time-line-now" />
    </div>
  );
}

function summaryOf(runs: readonly ScheduleRun[], next: readonly number[], isBand: boolean): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  const past = [...counts]
    .map(([status, count]) => `${countText(count)} ${statusText(status).toLowerCase()}`)
    .join(", ");
  const coming = isBand
    ? `more than ${countText(MOST_MARKS)}`
    : next.length === 0
      ? "none"
      : countText(next.length);
  return `Last 24 hours: ${past || "nothing"}. Next 24 hours: ${coming}.`;
}

/** What the marks mean. */
export function Legend() {
  const marks = ["success", "failed", "running", "paused", "missed", "skipped", "next"] as const;
  return (
    <ul className="legend" aria-label="Marks of the time line">
      {marks.map((status) => (
        <li key={status}>
          <span className={`slot slot-${status}`} aria-hidden />
          {status === "next" ? "Next" : statusText(status)}
        </li>
      ))}
    </ul>
  );
}

/** The hours below or above time lines. */
export function Hours() {
  return (
    <div className="hours">
      <span>24 h ago</span>
      <span>now</span>
      <span>in 24 h</span>
    </div>
  );
}
