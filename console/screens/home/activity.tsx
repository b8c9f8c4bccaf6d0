import { useMemo } from "react";
import { Link } from "wouter";
import { useMe } from "../../access/use-me.ts";
import { useFilters } from "../../api/use-filters.ts";
import { countText, moneyText, shortCount } from "../../parts/amounts.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import type { Series } from "../../parts/chart/chart-props.ts";
import { Segments } from "../../parts/form/segments.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { exactText, useNow } from "../../parts/time.tsx";
import { activityOf } from "./buckets.ts";
import { type Span, useRecentRuns } from "./use-recent-runs.ts";

const names = ["span"] as const;
const choices = [
  { id: "1h", text: "Last hour" },
  { id: "24h", text: "Last day" },
];
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const clockText = (seconds: number): string => clock.format(seconds * 1000);

/** Runs, errors, tokens and cost of the last hour or day, from the runs that the reader may see. */
export function Activity() {
  const { is_admin } = useMe();
  const [filters, change] = useFilters(names);
  const span: Span = filters.span === "24h" ? "24h" : "1h";
  const { data, error, refetch } = useRecentRuns(span, true);
  return (
    <section className="stack" aria-labelledby="activity">
      <div className="row row-spread">
        <h2 id="activity">{is_admin ? "Activity" : "Your activity"}</h2>
        <Segments
          label="Time"
          choices={choices}
          value={span}
          onChange={(id) => change({ span: id === "1h" ? "" : id })}
        />
      </div>
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <div className="tiles">
          {["Runs", "Errors", "Tokens", "Cost"].map((title) => (
            <div key={title} className="card tile tile-loading">
              <Skeleton lines={3} />
            </div>
          ))}
        </div>
      ) : (
        <Tiles span={span} {...data} />
      )}
    </section>
  );
}

type TilesProps = {
  readonly span: Span;
  readonly runs: Parameters<typeof activityOf>[0];
  readonly isWhole: boolean;
};

function Tiles({ span, runs, isWhole }: TilesProps) {
  const now = useNow();
  const activity = useMemo(() => activityOf(runs, span, now), [runs, span, now]);
  const { starts, totals, ended, failed, open, tokensIn, tokensOut, cost } = activity;
  const time = span === "1h" ? "the last hour" : "the last day";
  const least = isWhole ? "" : "at least ";
  const oldest = runs.at(-1);
  const chart = { xs: starts, xText: clockText };
  return (
    <>
      <div className="tiles">
        <Tile
          title="Runs"
          to={`/runs?since=${span}`}
          value={`${least}${countText(totals.runs)}`}
          about={totals.runs === 0 ? `none in ${time}` : `begun in ${time}`}
        >
          <Chart
            {...chart}
            label={`Runs of ${time}`}
            valueText={countText}
            series={[
              { name: "Ended", values: ended, colour: "accent" },
              { name: "Open", values: open, colour: "busy" },
              { name: "Failed", values: failed, colour: "bad" },
            ]}
          />
        </Tile>
        <Tile
          title="Errors"
          to={`/runs?status=ERROR&since=${span}`}
          value={`${least}${countText(totals.failed)}`}
          about={totals.runs === 0 ? "no runs" : `${shareText(totals.failed, totals.runs)} of the runs`}
        >
          <Chart
            {...chart}
            label={`Failed runs of ${time}`}
            valueText={countText}
            series={[{ name: "Failed", values: failed, colour: "bad" }]}
          />
        </Tile>
        <Tile
          title="Tokens"
          value={`${least}${shortCount(totals.tokensIn + totals.tokensOut)}`}
          about={`${shortCount(totals.tokensIn)} in, ${shortCount(totals.tokensOut)} out`}
        >
          <Chart
            {...chart}
            label={`Tokens of the runs of ${time}`}
            valueText={shortCount}
            series={[
              { name: "In", values: tokensIn, colour: "accent" },
              { name: "Out", values: tokensOut, colour: "busy" },
            ]}
          />
        </Tile>
        <Tile
          title="Cost"
          value={`${totals.cost === undefined ? "" : least}${moneyText(totals.cost)}`}
          about={
            totals.unpriced === 0
              ? "of the models"
              : `${totals.cost === undefined ? "" : "and "}${countText(totals.unpriced)} ${totals.unpriced === 1 ? "run" : "runs"} at no known price`
          }
        >
          <Chart
            {...chart}
            label={`Cost of the runs of ${time}`}
            valueText={moneyText}
            series={costSeries(cost)}
          />
        </Tile>
      </div>
      {!isWhole && oldest && (
        <p className="small faint">
          Only the newest {countText(runs.length)} runs were looked at, which began after{" "}
          {exactText(oldest.created_at)}. Metrics has whole days.
        </p>
      )}
    </>
  );
}

const costSeries = (values: readonly (number | null)[]): Series[] => [
  { name: "Cost", values, colour: "accent" },
];

function shareText(part: number, whole: number): string {
  const share = (part / whole) * 100;
  return `${share === 0 || share >= 10 ? Math.round(share) : share.toFixed(1)} %`;
}

type TileProps = {
  readonly title: string;
  readonly value: string;
  readonly about: string;
  /** Where its runs are listed. */
  readonly to?: string;
  readonly children: React.ReactNode;
};

function Tile({ title, value, about, to, children }: TileProps) {
  return (
    <section className="card tile">
      <h3 className="tile-title">{to === undefined ? title : <Link href={to}>{title}</Link>}</h3>
      <div className="tile-value">{value}</div>
      <div className="small faint">{about}</div>
      {children}
    </section>
  );
}
