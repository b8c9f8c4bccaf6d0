import { Clock } from "lucide-react";
import { costText, shortCount } from "../../../parts/amounts.ts";
import { Status } from "../../../parts/badge.tsx";
import type { Column } from "../../../parts/list/list.tsx";
import { clockText, durationText, Time } from "../../../parts/time.tsx";
import type { RunEntry } from "../use-run-list.ts";

/** What is shown of a run. The first one always is. */
export const runColumns: readonly Column<RunEntry>[] = [
  {
    id: "what",
    title: "Run",
    width: "minmax(96px, 2.4fr)",
    cell: ({ input_preview, error, content_preview }) => (
      <div>
        <div className="cut" dir="auto">
          {input_preview || <span className="faint">no input</span>}
        </div>
        <div className="cut small faint" dir="auto">
          {error ?? content_preview ?? ""}
        </div>
      </div>
    ),
  },
  {
    id: "component",
    title: "Component",
    sortOf: ({ component_id }) => component_id,
    from: 720,
    width: "minmax(120px, 1fr)",
    cell: ({ component_id, component_type, component_version }) => (
      <div>
        <div className="cut">{component_id}</div>
        <div className="cut small faint">
          {component_type}
          {component_version !== undefined && ` · version ${component_version}`}
        </div>
      </div>
    ),
  },
  {
    id: "status",
    title: "Status",
    width: "clamp(92px, 14vw, 104px)",
    sortOf: ({ status }) => status,
    cell: (run) => <StatusOf {...run} />,
  },
  {
    id: "user",
    title: "User",
    sortOf: ({ user_id }) => user_id,
    from: 1200,
    width: "minmax(80px, 0.7fr)",
    cell: ({ user_id }) => <div className="cut">{user_id}</div>,
  },
  {
    id: "took",
    title: "Took",
    sortOf: ({ duration }) => duration,
    from: 960,
    width: "80px",
    end: true,
    cell: ({ duration }) =>
      duration === undefined ? <span className="faint">–</span> : durationText(duration),
  },
  {
    id: "tokens",
    title: "Tokens",
    sortOf: ({ total_tokens }) => total_tokens,
    from: 1120,
    width: "72px",
    end: true,
    cell: ({ total_tokens }) =>
      total_tokens === undefined ? <span className="faint">–</span> : shortCount(total_tokens),
  },
  {
    id: "cost",
    title: "Cost",
    sortOf: ({ cost }) => cost,
    from: 1040,
    width: "84px",
    end: true,
    cell: (run) => <span className={run.cost === undefined ? "faint" : ""}>{costText(run) ?? "–"}</span>,
  },
  {
    id: "when",
    title: "Started",
    width: "clamp(56px, 12vw, 84px)",
    end: true,
    sortOf: ({ created_at }) => created_at,
    cell: ({ created_at }) => (
      <div>
        <Time at={created_at} />
        <div className="small faint wide-only">{clockText(created_at)}</div>
      </div>
    ),
  },
];

function StatusOf({ status, queued, attempt, schedule_run }: RunEntry) {
  return (
    <div>
      <Status of={status} />
      {(attempt > 1 || schedule_run) && (
        <div className="small faint">
          {schedule_run && <Clock size={11} aria-label="started by a schedule" />}
          {attempt > 1 && ` attempt ${attempt}`}
        </div>
      )}
      {queued && status === "PENDING" && <span className="hidden-visually">in the queue</span>}
    </div>
  );
}
