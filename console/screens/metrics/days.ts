import type { Operations } from "../../../client/index.ts";

type Answer = Operations["getMetrics"]["answer"];
export type Day = Answer["metrics"][number];
type ModelPart = Day["model_metrics"][number];

const DAY_SECONDS = 86_400;

/** A range of days, in UTC as the platform counts them; both ends count. */
export type Range = { readonly from: string; readonly to: string };

export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** @param days  how many, today among them */
export const lastDays = (days: number, now: number): Range => ({
  from: dayText(now - (days - 1) * DAY_SECONDS * 1000),
  to: dayText(now),
});

const secondsOf = (date: string): number => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / 1000;

/** Beginnings of all days of a range, epoch seconds. */
export function daysOf({ from, to }: Range): number[] {
  const days: number[] = [];
  for (let day = secondsOf(from); day <= secondsOf(to); day += DAY_SECONDS) days.push(day);
  return days;
}

export const runsOf = (day: Day): number =>
  day.agent_runs_count + day.team_runs_count + day.workflow_runs_count;

/** A value for each day of a range; a day that the platform has no record of had nothing. */
export function perDay<Value>(
  starts: readonly number[],
  days: readonly Day[],
  nothing: Value,
  of: (day: Day) => Value,
) {
  const known = new Map(days.map((day) => [secondsOf(day.date), day]));
  return starts.map((start) => {
    const day = known.get(start);
    return day === undefined ? nothing : of(day);
  });
}

/** What a day cost; null where tokens were used at no known price. */
export const costOf = ({ cost, token_metrics }: Day): number | null =>
  cost ?? (token_metrics.total_tokens === 0 ? 0 : null);

export type ModelSum = {
  readonly model: string;
  readonly provider: string;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Undefined where no price is known. */
  readonly cost: number | undefined;
};

export const modelKey = ({ model_id, model_provider }: ModelPart): string => `${model_provider}/${model_id}`;

/** Totals of each model over all days, that with most tokens first. */
export function modelSums(days: readonly Day[]): ModelSum[] {
  const parts = Map.groupBy(
    days.flatMap(({ model_metrics }) => model_metrics),
    modelKey,
  );
  const sums = [...parts.values()].map((of): ModelSum => {
    const costs = of.map(({ cost }) => cost).filter((cost) => cost !== undefined);
    return {
      model: of[0]?.model_id ?? "",
      provider: of[0]?.model_provider ?? "",
      calls: total(of, ({ count }) => count),
      tokensIn: total(of, ({ input_tokens }) => input_tokens),
      tokensOut: total(of, ({ output_tokens }) => output_tokens),
      cost: costs.length === 0 ? undefined : total(costs, (cost) => cost),
    };
  });
  return sums.sort((a, b) => b.tokensIn + b.tokensOut - a.tokensIn - a.tokensOut);
}

export const total = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** What a component, a user or the judges used in a range. */
export type Share = {
  readonly name: string;
  readonly runs: number;
  readonly tokens: number;
  /** Undefined where no price is known. */
  readonly cost: number | undefined;
};

type Used = { readonly runs: number; readonly total_tokens: number; readonly cost?: number | undefined };

function sharesOf(rows: readonly (readonly [name: string, used: Used])[]): Share[] {
  const sums = new Map<string, Share>();
  for (const [name, { runs, total_tokens, cost }] of rows) {
    const before = sums.get(name);
    sums.set(name, {
      name,
      runs: (before?.runs ?? 0) + runs,
      tokens: (before?.tokens ?? 0) + total_tokens,
      cost: cost === undefined ? before?.cost : (before?.cost ?? 0) + cost,
    });
  }
  return [...sums.values()].sort((a, b) => b.tokens - a.tokens);
}

/** By component; judges are a line of their own, since what they use is no run's. */
export const componentShares = (days: readonly Day[]): Share[] =>
  sharesOf(
    days.flatMap(({ component_metrics = [], evaluation_metrics: judged }) => [
      ...component_metrics.map(
        (one) => [`${one.component_id ?? "others"} (${one.component_type ?? "together"})`, one] as const,
      ),
      ...(judged && judged.judge_calls > 0
        ? [["judges of evaluations", { ...judged, runs: 0 }] as const]
        : []),
    ]),
  );

export const userShares = (days: readonly Day[]): Share[] =>
  sharesOf(
    days.flatMap(({ user_metrics = [] }) =>
      user_metrics.map((one) => [one.user_id ?? (one.others ? "others" : "no user"), one] as const),
    ),
  );
