import { Clock } from "lucide-react";
import { useMemo } from "react";
import { useMe } from "../../access/use-me.ts";
import { kindChoices, runPath } from "../../api/kinds.ts";
import { sinceOf, spanChoices, useFilters } from "../../api/use-filters.ts";
import { costText, shortCount } from "../../parts/amounts.ts";
import { Status, statusText } from "../../parts/badge.tsx";
import { ButtonLink } from "../../parts/button.tsx";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { type Emptiness, ListView, noMatch } from "../../parts/list/list-view.tsx";
import { useChosen } from "../../parts/list/use-chosen.tsx";
import { Page } from "../../parts/page.tsx";
import { durationText, Time } from "../../parts/time.tsx";
import { ManyBar } from "./many-bar.tsx";
import { type RunEntry, type RunFilter, useRunList } from "./use-run-list.ts";

const names = ["kind", "component", "user", "status", "since", "error"] as const;
const statuses = ["RUNNING", "PENDING", "PAUSED", "COMPLETED", "ERROR", "CANCELLED"] as const;
const statusChoices = [
  { id: "", text: "Any status" },
  ...statuses.map((id) => ({ id, text: statusText(id) })),
];
const filtersFor = (isAdmin: boolean): readonly Filter<(typeof names)[number]>[] => [
  { name: "component", label: "Component", placeholder: "Component id" },
  { name: "kind", label: "Kind", choices: kindChoices },
  { name: "status", label: "Status", choices: statusChoices },
  { name: "since", label: "Time", choices: spanChoices },
  { name: "user", label: "User", placeholder: "User id", isHidden: !isAdmin },
  { name: "error", label: "Error contains" },
];

const idOf = ({ run_id }: RunEntry): string => run_id;

/** Every run that the reader may see, newest first. */
export function RunList() {
  const { is_admin } = useMe();
  const [values, change] = useFilters(names);
  const filters = filtersFor(is_admin);
  const filter = useMemo(() => filterOf(values), [values]);
  const list = useRunList(filter);
  const chosen = useChosen(list.rows, idOf);
  const shown = useMemo(() => {
    const choice = chosen.column(({ input_preview }) => input_preview || "a run without input");
    return [choice, ...(is_admin ? columns : columns.filter(({ id }) => id !== "user"))];
  }, [chosen, is_admin]);
  return (
    <Page
      title="Runs"
      about={
        is_admin
          ? "What agents, teams and workflows did, for all users."
          : "What agents, teams and workflows did for you."
      }
    >
      <Filters filters={filters} values={values} onChange={change} />
      <ManyBar chosen={chosen.rows} filter={filter} onClear={chosen.clear} onActed={list.refresh} />
      <ListView
        label="Runs"
        list={list}
        keyOf={idOf}
        columns={shown}
        to={pathOf}
        rowHeight={56}
        empty={
          isFiltered(filters, values) ? noMatch("run", "Remove a filter, or look at a longer time.") : noRuns
        }
      />
    </Page>
  );
}

const noRuns: Emptiness = {
  title: "Nothing has run yet",
  text: "Ask an agent something, and its run appears here.",
  action: (
    <ButtonLink to="/playground" kind="main">
      Open the playground
    </ButtonLink>
  ),
};

function filterOf({
  kind,
  component,
  user,
  status,
  since,
  error,
}: Readonly<Record<(typeof names)[number], string>>): RunFilter {
  const after = sinceOf(since);
  return {
    ...((kind === "agent" || kind === "team" || kind === "workflow") && { component_type: kind }),
    ...(component && { component_id: component }),
    ...(user && { user_id: user }),
    ...(isStatus(status) && { status: [status] }),
    ...(after !== undefined && { created_after: after }),
    ...(error && { error_contains: error }),
  };
}

const isStatus = (text: string): text is (typeof statuses)[number] => statuses.some((one) => one === text);

const pathOf = ({ component_type, component_id, session_id, run_id }: RunEntry): string =>
  runPath({ kind: component_type, component: component_id, session: session_id, run: run_id });

const columns: readonly Column<RunEntry>[] = [
  {
    id: "what",
    title: "Run",
    width: "minmax(96px, 2.4fr)",
    cell: ({ input_preview, error, content_preview }) => (
      <div>
        <div className="cut">{input_preview || <span className="faint">no input</span>}</div>
        <div className="cut small faint">{error ?? content_preview ?? ""}</div>
      </div>
    ),
  },
  {
    id: "component",
    title: "Component",
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
  { id: "status", title: "Status", width: "104px", cell: (run) => <StatusOf {...run} /> },
  {
    id: "user",
    title: "User",
    from: 1200,
    width: "minmax(80px, 0.7fr)",
    cell: ({ user_id }) => <div className="cut">{user_id}</div>,
  },
  {
    id: "took",
    title: "Took",
    from: 960,
    width: "80px",
    end: true,
    cell: ({ duration }) =>
      duration === undefined ? <span className="faint">–</span> : durationText(duration),
  },
  {
    id: "tokens",
    title: "Tokens",
    from: 1120,
    width: "72px",
    end: true,
    cell: ({ total_tokens }) =>
      total_tokens === undefined ? <span className="faint">–</span> : shortCount(total_tokens),
  },
  {
    id: "cost",
    title: "Cost",
    from: 1040,
    width: "84px",
    end: true,
    cell: (run) => <span className={run.cost === undefined ? "faint" : ""}>{costText(run) ?? "–"}</span>,
  },
  {
    id: "when",
    title: "Started",
    width: "64px",
    end: true,
    cell: ({ created_at }) => <Time at={created_at} />,
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
