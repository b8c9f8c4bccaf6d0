import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { useFilters } from "../../api/use-filters.ts";
import { countText, durationText, moneyText } from "../../parts/amounts.ts";
import { Segments } from "../../parts/form/segments.tsx";
import { sorted, sortingOf } from "../../parts/list/sorting.ts";
import { Card } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import type { Range } from "./days.ts";
import { type Column, SumTable } from "./tables.tsx";

type Row = Operations["getMetricsBreakdown"]["answer"]["data"][number];

const names = ["by", "sort"] as const;
const kinds = [
  { id: "component", text: "Component" },
  { id: "version", text: "Version" },
  { id: "model", text: "Model" },
  { id: "tool", text: "Tool" },
  { id: "user", text: "User or key" },
] as const;
type BreakdownProps = { readonly range: Range; readonly user: string };

/** How long it took, what failed and what it cost, by one thing at a time. */
export function Breakdown({ range: { from, to }, user }: BreakdownProps) {
  const [values, change] = useFilters(names);
  const by = kinds.find(({ id }) => id === values.by)?.id ?? "component";
  const { data, error, refetch } = useQuery({
    queryKey: ["metrics", "breakdown", by, from, to, user],
    queryFn: () =>
      platform.getMetricsBreakdown({
        query: {
          by,
          starting_date: from,
          ending_date: to,
          limit: 500,
          ...(user !== "" && { user_id: user }),
        },
      }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const shownBy = kinds.find(({ id }) => id === data?.meta.by)?.id ?? by;
  const numbers = shownBy === "tool" ? ofTools : ofRuns;
  const sorting = sortingOf(values.sort);
  const rows = sorted(
    data?.data ?? [],
    numbers.map(({ head, ...column }) => ({ id: head, ...column })),
    sorting ?? MOST_USED[shownBy === "tool" ? "tool" : "run"],
  );
  return (
    <Card title="Duration, failures and cost" flush>
      <div className="filters card-body">
        <Segments
          label="By"
          choices={kinds}
          value={by}
          onChange={(id) => change({ by: id === "component" ? "" : id })}
        />
      </div>
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <div className="card-body">
          <Skeleton lines={4} />
        </div>
      ) : rows.length === 0 ? (
        <Empty title={shownBy === "tool" ? "No tool was called in these days" : "Nothing ran in these days"}>
          <p>Choose a longer range. Days that an earlier release has computed have no such figures.</p>
        </Empty>
      ) : (
        <SumTable
          title="Duration, failures and cost"
          rows={rows.slice(0, MOST)}
          keyOf={(row) => nameOf(row, shownBy)}
          names={[{ head: headOf(shownBy), text: (row: Row) => nameOf(row, shownBy) }]}
          numbers={numbers}
          sorting={sorting}
          onSort={(sort) => change({ sort })}
        />
      )}
    </Card>
  );
}

const MOST = 50;

/** The order without one of the reader's. */
const MOST_USED = { run: { by: "Runs", isUp: false }, tool: { by: "Calls", isUp: false } } as const;

type By = (typeof kinds)[number]["id"];
const headOf = (by: By): string => kinds.find(({ id }) => id === by)?.text ?? "";

function nameOf(row: Row, by: By): string {
  if (row.others) return "others";
  switch (by) {
    case "component":
      return `${row.component_id} (${row.component_type})`;
    case "version":
      return row.version === null
        ? `${row.component_id} (${row.component_type}, of the code)`
        : `${row.component_id}, version ${row.version}`;
    case "model":
      return row.model_id ?? "";
    case "tool":
      return row.tool ?? "";
    case "user":
      return row.user_id ?? "no user";
  }
}

const timeText = (seconds: number | undefined): string =>
  seconds === undefined ? "–" : durationText(seconds);
const shareText = (part: number, of: number): string =>
  of === 0 ? "–" : part === 0 ? "0" : `${countText(part)} (${((100 * part) / of).toFixed(1)} %)`;

/** Thumbs up, then down. */
const thumbsText = ({ thumbs: { up, down } }: Row): string =>
  up + down === 0 ? "–" : `${countText(up)} / ${countText(down)}`;
const passedText = ({ judged, pass_rate }: Row): string =>
  pass_rate === undefined ? "–" : `${(100 * pass_rate).toFixed(1)} % of ${countText(judged)}`;

const times: readonly Column<Row>[] = [
  { head: "p50", text: ({ p50 }) => timeText(p50), sortOf: ({ p50 }) => p50 },
  { head: "p95", text: ({ p95 }) => timeText(p95), sortOf: ({ p95 }) => p95 },
  { head: "p99", text: ({ p99 }) => timeText(p99), sortOf: ({ p99 }) => p99 },
];
const judgments: readonly Column<Row>[] = [
  { head: "Thumbs up / down", text: thumbsText, sortOf: ({ thumbs }) => thumbs.down },
  { head: "Judged as passed", text: passedText, sortOf: ({ pass_rate }) => pass_rate },
];
const ofRuns: readonly Column<Row>[] = [
  { head: "Runs", text: ({ runs }) => countText(runs), sortOf: ({ runs }) => runs },
  { head: "Failed", text: ({ errors, runs }) => shareText(errors, runs), sortOf: ({ errors }) => errors },
  ...times,
  { head: "Cost", text: ({ cost }) => moneyText(cost), sortOf: ({ cost }) => cost },
  {
    head: "Cost of a run",
    text: ({ cost_per_run }) => moneyText(cost_per_run),
    sortOf: ({ cost_per_run }) => cost_per_run,
  },
  ...judgments,
];
const ofTools: readonly Column<Row>[] = [
  { head: "Calls", text: ({ tool_calls }) => countText(tool_calls), sortOf: ({ tool_calls }) => tool_calls },
  {
    head: "Failed",
    text: ({ tool_errors, tool_calls }) => shareText(tool_errors, tool_calls),
    sortOf: ({ tool_errors }) => tool_errors,
  },
  ...times,
  { head: "Runs", text: ({ runs }) => countText(runs), sortOf: ({ runs }) => runs },
  ...judgments,
];
