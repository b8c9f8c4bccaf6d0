import { useMemo } from "react";
import { Link } from "wouter";
import type { Schedule, ScheduleRun } from "../../../client/index.ts";
import { runPath } from "../../api/kinds.ts";
import { countText } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Changes, newText } from "../../parts/changes.tsx";
import { Card } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time, wholeSecondsText } from "../../parts/time.tsx";
import { useFresh } from "../../parts/use-fresh.ts";
import { type Target, targetOf } from "./target.ts";
import { useScheduleRuns } from "./use-schedules.ts";

const idOf = ({ id }: ScheduleRun): string => id;

type RunsProps = {
  readonly schedule: Schedule;
  /** Counts what was started by hand here: its attempts are shown at once. */
  readonly turn: number;
};

/** The attempts of a schedule, newest first. */
export function ScheduleRuns({ schedule, turn }: RunsProps) {
  const pages = useScheduleRuns(schedule.id);
  const all = useMemo(() => pages.data?.pages.flatMap(({ data }) => data) ?? [], [pages.data]);
  const { shown, fresh, showNew } = useFresh(all, idOf, String(turn));
  const total = pages.data?.pages[0]?.meta.total_count;
  const target = targetOf(schedule);
  return (
    <Card
      title="Attempts"
      actions={total !== undefined && <span className="small faint">{countText(total)} in all</span>}
      flush
    >
      <div className="schedule-runs">
        <Changes text={newText(fresh)} onShow={showNew} />
        {pages.isPending ? (
          <div className="card-body">
            <Skeleton lines={5} />
          </div>
        ) : pages.isError && shown.length === 0 ? (
          <Failed error={pages.error} retry={() => pages.refetch()} />
        ) : shown.length === 0 ? (
          <p className="card-body soft">It has not run yet.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
          <section className="scroll-x" tabIndex={0} aria-label="Attempts">
            <table className="table">
              <thead>
                <tr>
                  <th>Status</th>
                  <th>When</th>
                  <th className="end wide-only">Attempt</th>
                  <th className="end wide-only">Took</th>
                  <th>Result</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((run) => (
                  <Attempt key={run.id} run={run} target={target} />
                ))}
              </tbody>
            </table>
          </section>
        )}
        {pages.hasNextPage && (
          <div className="card-body">
            <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
              Show older ones
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}

function Attempt({ run, target }: { readonly run: ScheduleRun; readonly target: Target | undefined }) {
  const { status, triggered_at, completed_at, attempt, run_id, session_id } = run;
  const place =
    target && run_id !== null && session_id !== null
      ? runPath({ kind: target.kind, component: target.id, session: session_id, run: run_id })
      : undefined;
  const took =
    completed_at === null || run_id === null ? undefined : wholeSecondsText(completed_at - triggered_at);
  return (
    <tr>
      <td>
        <Status of={status} />
      </td>
      <td className="nowrap">
        <Time at={triggered_at} />
        <div className="small faint narrow-only">
          attempt {attempt}
          {took !== undefined && `, ${took}`}
        </div>
      </td>
      <td className="end wide-only">{attempt}</td>
      <td className="end nowrap wide-only">{took ?? <span className="faint">–</span>}</td>
      <td className="schedule-result">
        <Result run={run} />
        {place !== undefined && (
          <Link href={place} className="small">
            Open the run
          </Link>
        )}
      </td>
    </tr>
  );
}

const SHOWN_CHARS = 240;

function Result({ run: { error, output, status_code } }: { readonly run: ScheduleRun }) {
  const content = output?.content;
  const answer = typeof content === "string" ? content : content === undefined ? "" : JSON.stringify(content);
  const text = error ?? answer;
  return (
    <div className={error === null ? "plain-text soft" : "plain-text schedule-error"}>
      {status_code !== null && status_code >= 400 && `${status_code} `}
      {text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text}
    </div>
  );
}
