import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Schedule } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Badge } from "../../parts/badge.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts, Meta, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { durationText, Time, useNow } from "../../parts/time.tsx";
import { ScheduleActions } from "./schedule-actions.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { ScheduleRuns } from "./schedule-runs.tsx";
import { targetOf } from "./target.ts";
import { Hours, Legend, TimeLine } from "./time-line.tsx";
import { useSchedule } from "./use-schedules.ts";
import { cronWords, nextTimes, timeIn } from "./when.ts";

const names = ["form"] as const;
const back = { to: "/schedules", text: "Schedules" };

/** One schedule: what it did, what it will do, and how it is set. */
export function SchedulePage({ id }: { readonly id: string }) {
  const { data: schedule, error, refetch } = useSchedule(id);
  const may = useMay();
  const [, navigate] = useLocation();
  const [{ form }, change] = useFilters(names);
  const [turn, setTurn] = useState(0);
  if (!schedule) {
    return (
      <Page title="Schedule" back={back}>
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  return (
    <Page
      title={schedule.name}
      back={back}
      about={<About schedule={schedule} />}
      actions={
        <ScheduleActions
          schedule={schedule}
          onEdit={() => change({ form: "edit" })}
          onCopy={() => navigate(`/schedules?form=new&schedule=${encodeURIComponent(schedule.id)}`)}
          onActed={() => setTurn((before) => before + 1)}
        />
      }
    >
      {schedule.disabled_reason !== null && (
        <Notice tone="warn">The platform paused this schedule: {reasonText(schedule.disabled_reason)}</Notice>
      )}
      <Card>
        <div className="stack-tight">
          <TimeLine schedule={schedule} tall />
          <Hours />
          <Legend />
        </div>
      </Card>
      <div className="schedule-panes">
        <ScheduleRuns schedule={schedule} turn={turn} />
        <Settings schedule={schedule} />
      </div>
      {form === "edit" && may("schedules:write") && (
        <ScheduleForm from={schedule} isNew={false} onClose={() => change({ form: "" })} />
      )}
    </Page>
  );
}

function About({
  schedule: { id, enabled, description, cron_expr, user_id },
}: {
  readonly schedule: Schedule;
}) {
  return (
    <Meta>
      <Badge {...(enabled && { tone: "good" as const })}>{enabled ? "Enabled" : "Paused"}</Badge>
      <span>{cronWords(cron_expr) ?? cron_expr}</span>
      {description !== null && (
        <span className="faint" dir="auto">
          {description}
        </span>
      )}
      {user_id !== null && <span className="faint">by {user_id}</span>}
      <Id value={id} />
    </Meta>
  );
}

function reasonText(reason: string): string {
  const [what = "", kind, ...rest] = reason.split(":");
  if (what === "target_archived")
    return `${kind} ${rest.join(":")} was archived. Restore it, then resume the schedule.`;
  if (what === "endpoint_drift")
    return "what it calls is no longer what it was created for. Edit it, then resume it.";
  return reason;
}

const overlapWords = {
  skip: "A time is skipped while the previous one runs",
  queue: "A time waits while the previous one runs",
  allow: "Runs in parallel with the previous one",
} as const;

const SHOWN_TIMES = 5;

function Settings({ schedule }: { readonly schedule: Schedule }) {
  const target = targetOf(schedule);
  const { message, ...others } = schedule.payload;
  const rest = target && typeof message === "string" ? others : schedule.payload;
  const { max_retries, retry_delay_seconds } = schedule;
  return (
    <div className="stack">
      <Card title="Next times">
        <NextTimes schedule={schedule} />
      </Card>
      <Card title="Settings">
        <div className="stack">
          <Facts
            of={[
              ["Runs", <TargetLink key="target" schedule={schedule} />],
              [
                "Message",
                target && typeof message === "string" ? (
                  <div key="message" className="plain-text" dir="auto">
                    {message}
                  </div>
                ) : undefined,
              ],
              [
                "Times",
                schedule.cron_expr === "" ? undefined : <code key="times">{schedule.cron_expr}</code>,
              ],
              ["Time zone", schedule.cron_expr === "" ? undefined : schedule.timezone],
              ["Overlap", overlapWords[schedule.overlap]],
              [
                "Retries",
                max_retries === 0
                  ? "None"
                  : `${max_retries}, each after ${durationText(retry_delay_seconds)}`,
              ],
              ["Timeout", durationText(schedule.timeout_seconds)],
              ["Made", <Time key="made" at={schedule.created_at} />],
              [
                "Changed",
                schedule.updated_at === null ? undefined : <Time key="changed" at={schedule.updated_at} />,
              ],
            ]}
          />
          {Object.keys(rest).length > 0 && (
            <div className="stack-tight">
              <div className="field-label">{target ? "Further fields of the run" : "Body"}</div>
              <Json value={rest} />
            </div>
          )}
        </div>
      </Card>
    </div>
  );
}

function TargetLink({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const may = useMay();
  const target = targetOf(schedule);
  if (!target) return `${schedule.method} ${schedule.endpoint}`;
  const text = `${target.kind} ${target.id}`;
  if (!may("components:read")) return text;
  return <Link href={`/components/${encodeURIComponent(target.id)}`}>{text}</Link>;
}

function NextTimes({ schedule }: { readonly schedule: Schedule }) {
  const minute = Math.floor(useNow() / 60_000) * 60;
  if (!schedule.enabled) return <p className="soft">It is paused. Its times pass without a run.</p>;
  const times = nextTimes(schedule, minute, SHOWN_TIMES);
  if (times.length === 0) return <p className="soft">It has no times: it runs on demand.</p>;
  return (
    <ol className="cron-times">
      {times.map((at) => (
        <li key={at} className="number">
          <span>{timeIn(at, schedule.timezone)}</span>
          <span className="faint small">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
