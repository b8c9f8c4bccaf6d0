import { useMemo } from "react";
import { countText, moneyText, shortCount } from "../../parts/amounts.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import type { ChartColour, Series } from "../../parts/chart/chart-props.ts";
import { costOf, type Day, daysOf, modelKey, modelSums, perDay, type Range, runsOf, total } from "./days.ts";

const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const dateText = (seconds: number): string => date.format(seconds * 1000);

/** Models that have a colour of their own; the others are one. */
const MOST_MODELS = 4;
const colours: readonly ChartColour[] = ["accent", "busy", "warn", "bad"];

/** A chart each for runs, users, tokens, cost and models. */
export function MetricsCharts({ days, range }: { readonly days: readonly Day[]; readonly range: Range }) {
  const xs = useMemo(() => daysOf(range), [range]);
  const series = useMemo(() => seriesOf(xs, days), [xs, days]);
  const costs = days.map(costOf);
  const isUnpriced = costs.includes(null);
  const known = costs.filter((cost) => cost !== null);
  const chart = { xs, xText: dateText, height: 160 };
  const tokens = total(days, ({ token_metrics }) => token_metrics.total_tokens);
  return (
    <div className="tiles tiles-wide">
      <Figure title="Runs" value={countText(total(days, runsOf))}>
        <Chart {...chart} label="Runs by day" series={series.runs} valueText={countText} />
      </Figure>
      <Figure
        title="Users"
        value={days.length === 0 ? "0" : countText(Math.max(...days.map(({ users_count }) => users_count)))}
        about="on the peak day"
      >
        <Chart {...chart} label="Users by day" series={series.users} valueText={countText} />
      </Figure>
      <Figure title="Tokens" value={shortCount(tokens)}>
        <Chart {...chart} label="Tokens by day" series={series.tokens} valueText={shortCount} />
      </Figure>
      <Figure
        title="Cost"
        value={isUnpriced && known.length === 0 ? "unknown" : moneyText(total(known, (cost) => cost))}
        {...(isUnpriced && {
          about: known.length === 0 ? "no price of the models is known" : "without models at no known price",
        })}
      >
        <Chart {...chart} label="Cost by day" series={series.cost} valueText={moneyText} />
      </Figure>
      <Figure title="Tokens by model" wide>
        <Chart
          {...chart}
          named
          label="Tokens by day and model"
          series={series.models}
          valueText={shortCount}
        />
      </Figure>
    </div>
  );
}

function seriesOf(xs: readonly number[], days: readonly Day[]) {
  const of = (name: string, colour: ChartColour, value: (day: Day) => number): Series => ({
    name,
    colour,
    values: perDay(xs, days, 0, value),
  });
  const sums = modelSums(days);
  const shown = sums.slice(0, MOST_MODELS);
  const keys = new Set(shown.map(({ model, provider }) => `${provider}/${model}`));
  const models = shown.map(({ model, provider }, at) =>
    of(model, colours[at] ?? "ink-faint", (day) => tokensOf(day, (key) => key === `${provider}/${model}`)),
  );
  const others = of("Others", "ink-faint", (day) => tokensOf(day, (key) => !keys.has(key)));
  return {
    runs: [
      of("Agents", "accent", ({ agent_runs_count }) => agent_runs_count),
      of("Teams", "busy", ({ team_runs_count }) => team_runs_count),
      of("Workflows", "warn", ({ workflow_runs_count }) => workflow_runs_count),
    ],
    users: [of("Users", "accent", ({ users_count }) => users_count)],
    tokens: [
      of("In", "accent", ({ token_metrics }) => token_metrics.input_tokens),
      of("Out", "busy", ({ token_metrics }) => token_metrics.output_tokens),
    ],
    cost: [
      { name: "Cost", colour: "accent", values: perDay<number | null>(xs, days, 0, costOf) },
    ] satisfies Series[],
    models: sums.length > MOST_MODELS ? [...models, others] : models,
  };
}

const tokensOf = ({ model_metrics }: Day, fits: (key: string) => boolean): number =>
  total(
    model_metrics.filter((part) => fits(modelKey(part))),
    ({ total_tokens }) => total_tokens,
  );

type FigureProps = {
  readonly title: string;
  readonly value?: string;
  readonly about?: string;
  readonly wide?: boolean;
  readonly children: React.ReactNode;
};

function Figure({ title, value, about, wide = false, children }: FigureProps) {
  return (
    <section className={wide ? "card tile tile-wide" : "card tile"}>
      <h2 className="tile-title">{title}</h2>
      {value !== undefined && (
        <div className="row tile-line">
          <span className="tile-value">{value}</span>
          {about !== undefined && <span className="small faint">{about}</span>}
        </div>
      )}
      {children}
    </section>
  );
}
