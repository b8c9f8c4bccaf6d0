import { RotateCw } from "lucide-react";
import { useMemo } from "react";
import { useMay, useMe } from "../../access/use-me.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Segments } from "../../parts/form/segments.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { Breakdown } from "./breakdown.tsx";
import { Budgets } from "./budgets.tsx";
import { MetricsCharts } from "./charts.tsx";
import { componentShares, lastDays, type Range, userShares } from "./days.ts";
import { Failures } from "./failures.tsx";
import { DayTable, ModelTable, ShareTable } from "./tables.tsx";
import { useMetrics, useRefresh } from "./use-metrics.ts";

const names = ["days", "from", "to", "user"] as const;
const OWN = "own";
const choices = [
  { id: "7", text: "7 days" },
  { id: "30", text: "30 days" },
  { id: "90", text: "90 days" },
  { id: OWN, text: "From … to" },
];
/** What operators ask is mostly about the week. */
const DEFAULT_DAYS = "7";
const DATE = /^\d{4}-\d\d-\d\d$/;
/** A range that a user typed; more days than this are no chart any more. */
const MOST_DAYS = 400;

/** Daily totals: runs, users, tokens, cost. */
export default function Metrics() {
  const may = useMay();
  const { is_admin } = useMe();
  const [filters, change] = useFilters(names);
  const { days, from, to, user } = filters;
  const isOwn = from !== "" || to !== "";
  const range = useMemo((): Range => {
    const given = { from, to };
    if (isOwn && isRange(given)) return given;
    return lastDays(Number(choices.find(({ id }) => id === days)?.id ?? DEFAULT_DAYS), Date.now());
  }, [from, to, days, isOwn]);
  const { data, error, refetch } = useMetrics(range, user);
  const { status, refresh } = useRefresh();
  const isRunning = status?.status === "running";
  const choose = (id: string) =>
    change(
      id === OWN
        ? { from: range.from, to: range.to, days: "" }
        : { from: "", to: "", days: id === DEFAULT_DAYS ? "" : id },
    );
  return (
    <Page
      title="Metrics"
      about={
        <>
          {is_admin ? "Daily totals." : "Your daily totals."} Days are UTC.
          {data?.updated_at && (
            <span className="faint">
              {" "}
              Computed <Time at={data.updated_at} />.
            </span>
          )}
        </>
      }
      actions={
        may("metrics:write") && (
          <Button
            icon={<RotateCw size={14} aria-hidden />}
            isDisabled={isRunning || refresh.isPending}
            onPress={() => refresh.mutate()}
          >
            {isRunning ? "Computing" : "Compute again"}
          </Button>
        )
      }
    >
      <div className="filters">
        <Segments
          label="Range"
          choices={choices}
          value={isOwn ? OWN : days || DEFAULT_DAYS}
          onChange={choose}
        />
        {isOwn && (
          <>
            <TextField label="From" type="date" value={from} onChange={(text) => change({ from: text })} />
            <TextField
              label="To"
              type="date"
              value={to}
              error={isRange({ from, to }) ? undefined : "A later day, within 400 days"}
              onChange={(text) => change({ to: text })}
            />
          </>
        )}
        {is_admin && (
          <SearchField
            label="User"
            placeholder="User id"
            value={user}
            onChange={(text) => change({ user: text })}
          />
        )}
      </div>
      {status?.status === "failed" && (
        <Notice tone="bad">The last computation failed. {status.error ?? "It can be tried again."}</Notice>
      )}
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <Budgets />
          <MetricsCharts days={data.metrics} range={range} />
          <Breakdown range={range} user={user} />
          <Failures range={range} user={user} />
          <ModelTable days={data.metrics} />
          <ShareTable title="Components" head="Component" rows={componentShares(data.metrics)} />
          <ShareTable title="Users" head="User" rows={userShares(data.metrics)} />
          <DayTable days={data.metrics} />
        </>
      )}
    </Page>
  );
}

function isRange({ from, to }: Range): boolean {
  if (!DATE.test(from) || !DATE.test(to)) return false;
  const length = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  return length >= 0 && length < MOST_DAYS;
}
