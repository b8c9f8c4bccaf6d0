import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { useFilters } from "../../api/use-filters.ts";
import { countText, durationText, moneyText } from "../../parts/amounts.ts";
import { Select } from "../../parts/form/select.tsx";
import { Card } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import type { Range } from "./days.ts";
import { type Column, SumTable } from "./tables.tsx";

type Row = Operations["getMetricsBreakdown"]["answer"]["data"][number];

const names = ["by", "first"] as const;
const kinds = [
  { id: "component", text: "Component" },
  { id: "version", text: "Version" },
  { id: "model", text: "Model" },
  { id: "tool", text: "Tool" },
  { id: "user", text: "User or key" },
] as const;
const orders = [
  { id: "", text: "Most used" },
  { id: "slow", text: "Slowest" },
  { id: "failed", text: "Most failures" },
  { id: "cost", text: "Dearest" },
  { id: "disliked", text: "Most thumbs down" },
];

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
  const order = orders.find(({ id }) => id === values.first)?.id ?? "";
  const rows = data
    ? data.data.toSorted((a, b) => sizeOf(b, order, shownBy) - sizeOf(a, order, shownBy))
    : [];
  return (
    <Card title="Duration, failures and cost" flush>
      <div className="filters card-body">
        <Select
          label="By"
          choices={kinds}
          value={by}
          onChange={(id) => change({ by: id === "component" ? "" : id })}
        />
        <Select label="Order" choices={orders} value={order} onChange={(first) => change({ first })} />
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
          numbers={shownBy === "tool" ? ofTools : ofRuns}
        />
      )}
    </Card>
  );
}

const MOST = 50;

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

function sizeOf(row: Row, order: string, by: By): number {
  if (order === "slow") return row.p95 ?? 0;
  if (order === "failed") return by === "tool" ? row.tool_errors : row.errors;
  if (order === "cost") return row.cost ?? 0;
  if (order === "disliked") return row.thumbs.down;
  return by === "tool" ? row.tool_calls : row.runs;
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
  { head: "p50", text: ({ p50 }) => timeText(p50) },
  { head: "p95", text: ({ p95 }) => timeText(p95) },
  { head: "p99", text: ({ p99 }) => timeText(p99) },
];
const judgments: readonly Column<Row>[] = [
  { head: "Thumbs up / down", text: thumbsText },
  { head: "Judged as passed", text: passedText },
];
const ofRuns: readonly Column<Row>[] = [
  { head: "Runs", text: ({ runs }) => countText(runs) },
  { head: "Failed", text: ({ errors, runs }) => shareText(errors, runs) },
  ...times,
  { head: "Cost", text: ({ cost }) => moneyText(cost) },
  { head: "Cost of a run", text: ({ cost_per_run }) => moneyText(cost_per_run) },
  ...judgments,
];
const ofTools: readonly Column<Row>[] = [
  { head: "Calls", text: ({ tool_calls }) => countText(tool_calls) },
  { head: "Failed", text: ({ tool_errors, tool_calls }) => shareText(tool_errors, tool_calls) },
  ...times,
  { head: "Runs", text: ({ runs }) => countText(runs) },
  ...judgments,
];
