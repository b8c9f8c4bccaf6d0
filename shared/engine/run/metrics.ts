import { nanosOf } from "../../domain/metrics/usage-sums.ts";
import type { CacheMetrics } from "../../schemas/runs/prompt-cache.ts";
import type { CountedUsage, RunMetrics, RunOutput, TokenCounts } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Models, ModelView } from "../model/models.ts";
import { addUsage, costOf, noUsage, subtractUsage, type Usage } from "../model/usage.ts";
import type { RunState } from "./run-state.ts";

/** The total usage and cost of several runs. @param metrics undefined ones are skipped */
export function sumOfMetrics(metrics: readonly (RunMetrics | undefined)[]): RunMetrics {
  const usage = metrics.reduce<Usage>((sum, one) => addUsage(sum, usageOf(one)), noUsage);
  const costs = metrics.flatMap((one) => one?.cost ?? []);
  const cost = costs.length > 0 ? { cost: costs.reduce((sum, one) => sum + one, 0) } : {};
  const isEstimated = metrics.some((one) => one?.usage_estimated);
  return { ...tokenCounts(usage), ...cost, ...(isEstimated && { usage_estimated: true }) };
}

/** The metrics of a run and of its members' runs. No usage is counted in two of them. */
export const metricsWithin = ({ metrics, member_responses = [] }: RunOutput): (RunMetrics | undefined)[] => [
  metrics,
  ...member_responses.flatMap(metricsWithin),
];

/**
 * What a run and all runs within it used. A cost that is not known of each of them is left out: a part of it would look like
 * the whole. The duration is the run's own, which its members' runs are within.
 *
 * @source docs/interface/runs.md 4.12
 */
export function totalMetrics(output: RunOutput): RunMetrics | undefined {
  const { metrics } = output;
  if (metrics === undefined) return undefined;
  const { duration } = metrics;
  return { ...wholeSum(metricsWithin(output)), ...(duration !== undefined && { duration }) };
}

/** The sum of several runs, without a cost where that of one which used a model is not known. */
export function wholeSum(parts: readonly (RunMetrics | undefined)[]): RunMetrics {
  const { cost, ...sums } = sumOfMetrics(parts);
  const isPriced = parts.every((one) => one?.cost !== undefined || !one?.total_tokens);
  return { ...sums, ...(isPriced && cost !== undefined && { cost }) };
}

/** What a session counts of a run and the runs within it. A workflow's own metrics include those of all runs within it. */
export function countedUsage(output: StoredOutput): CountedUsage {
  const parts = output.member_responses ? metricsWithin(output) : [output.total_metrics ?? output.metrics];
  const priced = parts.filter((one) => one?.cost !== undefined);
  const nanos = priced.map((one) => nanosOf(one?.cost) ?? 0);
  return {
    ...tokenCounts(usageOf(sumOfMetrics(parts))),
    ...positive({
      cost_nanos: sumOf(nanos),
      priced_tokens: sumOf(priced.map((one) => one?.total_tokens ?? 0)),
    }),
  };
}

/** What a run used until it had a state from which it goes on; what else than its answers it asked models for is counted at its end. */
export function countedAt(
  state: Pick<RunState, "usage" | "used_by">,
  own: ModelView,
  models: Pick<Models, "describe">,
): CountedUsage {
  const nanos = nanosOf(costOfModels(usageByModel(state, own, models)));
  const counts = tokenCounts(state.usage);
  if (nanos === undefined) return counts;
  return { ...counts, ...positive({ cost_nanos: nanos, priced_tokens: counts.total_tokens ?? 0 }) };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const positive = (of: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(of).filter(([, count]) => count > 0));

/** The token counts in metrics. */
export const usageOf = (metrics: RunMetrics = {}): Usage => ({
  input_tokens: metrics.input_tokens ?? 0,
  output_tokens: metrics.output_tokens ?? 0,
  reasoning_tokens: metrics.reasoning_tokens ?? 0,
  cache_read_tokens: metrics.cache_read_tokens ?? 0,
  cache_write_tokens: metrics.cache_write_tokens ?? 0,
});

/** The counts with their total, zeros left out. */
export function tokenCounts({ usage_estimated: _, ...usage }: Usage): TokenCounts {
  const counts = { ...usage, total_tokens: usage.input_tokens + usage.output_tokens };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/**
 * A duration in seconds. The clock counts milliseconds, so what took less counts as one: 0 would say that it took no time
 * or was not measured.
 */
export const secondsBetween = (fromMs: number, toMs: number): number => Math.max(1, toMs - fromMs) / 1000;

/** What one model has used. */
export type UsageOfModel = { readonly usage: Usage; readonly model: ModelView };

/** The usage of a model call that a run makes in addition to answering. `role` is its key in `details`. */
export type RoleUsage = UsageOfModel & {
  readonly role: "memory_model" | "learning_model" | "session_summary_model" | "followup_model";
};

type Used = Pick<RunState, "usage" | "used_by" | "folds_used">;

/** What the models that have answered a run have used of it: the agent's own first, then those that stood in for it. */
export function usageByModel(
  { usage, used_by = {}, folds_used = {} }: Used,
  own: ModelView,
  { describe }: Pick<Models, "describe">,
): readonly UsageOfModel[] {
  const others = Object.entries(used_by).map(([spec, used]) => ({ usage: used, model: describe(spec) }));
  const elsewhere = [...Object.values(used_by), ...Object.values(folds_used)];
  const used = elsewhere.reduce((rest, other) => subtractUsage(rest, other), usage);
  return [{ usage: used, model: own }, ...others];
}

/** What the models that have summed up a run's beginning have used of it. */
export const usageOfFolds = (
  { folds_used = {} }: Used,
  own: ModelView,
  { describe }: Pick<Models, "describe">,
): readonly UsageOfModel[] =>
  Object.entries(folds_used).map(([spec, usage]) => ({ usage, model: spec === "" ? own : describe(spec) }));

/** What several models cost together; undefined when one that was used has no price. */
export function costOfModels(parts: readonly UsageOfModel[]): number | undefined {
  const used = parts.filter(({ usage }, i) => i === 0 || usage.input_tokens + usage.output_tokens > 0);
  const byModel = Map.groupBy(used, ({ model }) => `${model.provider}:${model.id}`);
  const costs = [...byModel.values()].map((same) =>
    costOf(
      same.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
      same[0]?.model.price,
    ),
  );
  return costs.reduce((sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0);
}

/**
 * Metrics of a run so far. The sums include all roles; `time_to_first_token` counts from the start of the run.
 *
 * @param models  describes those that stood in for the agent's own
 * @param nowMs   epoch milliseconds
 */
export function runMetrics(
  state: RunState,
  own: ModelView,
  models: Pick<Models, "describe">,
  nowMs: number,
  roleUsages: readonly RoleUsage[] = [],
): RunMetrics {
  const answering = usageByModel(state, own, models);
  const folds = usageOfFolds(state, own, models);
  const sum = roleUsages.reduce((total, { usage }) => addUsage(total, usage), state.usage);
  const cost = costOfModels([...answering, ...folds, ...roleUsages]);
  const used = answering.filter(({ usage }, i) => i === 0 || usage.input_tokens + usage.output_tokens > 0);
  return {
    ...tokenCounts(sum),
    ...(cost !== undefined && { cost }),
    ...estimateMark(sum),
    ...(state.first_token_at_ms !== null && {
      time_to_first_token: secondsBetween(state.started_at_ms, state.first_token_at_ms),
    }),
    duration: secondsBetween(state.started_at_ms, nowMs),
    details: {
      model: used.map(({ usage, model }) => detail(usage, model)),
      ...(folds.length > 0 && { compaction_model: folds.map(({ usage, model }) => detail(usage, model)) }),
      ...Object.fromEntries(roleUsages.map(({ role, usage, model }) => [role, [detail(usage, model)]])),
    },
    ...additionalMetrics(state, own),
  };
}

/** What is known of the model calls beside their tokens. */
function additionalMetrics(state: RunState, own: ModelView): Pick<RunMetrics, "additional_metrics"> {
  const { fallbacks, view, used_by, folds_used } = state;
  const cache = cacheMetrics(state, own);
  if (!cache && !fallbacks && !view && !used_by && !folds_used) return {};
  return {
    additional_metrics: {
      ...(cache && { cache }),
      ...(fallbacks && { fallbacks: [...fallbacks] }),
      ...(view && { context: view }),
      ...(used_by && { used_by: countsBy(used_by, tokenCounts) }),
      ...(folds_used && { folds_used: countsBy(folds_used, tokenCounts) }),
    },
  };
}

const countsBy = <From, To>(
  used: Readonly<Record<string, From>>,
  by: (counts: From) => To,
): Record<string, To> => Object.fromEntries(Object.entries(used).map(([spec, counts]) => [spec, by(counts)]));

/** What models have used of a run, in its metrics, as its state has that. */
export function usedIn({ additional_metrics = {} }: RunMetrics = {}): Pick<Used, "used_by" | "folds_used"> {
  const { used_by, folds_used } = additional_metrics;
  return {
    ...(used_by && { used_by: countsBy(used_by, usageOf) }),
    ...(folds_used && { folds_used: countsBy(folds_used, usageOf) }),
  };
}

/** How the run's prompts fared in the cache; nothing where the service has cached none. */
function cacheMetrics(
  { usage, prompt, cache_breaks = [] }: RunState,
  { price }: ModelView,
): CacheMetrics | undefined {
  const { input_tokens, cache_read_tokens, cache_write_tokens } = usage;
  if (!prompt || input_tokens === 0) return undefined;
  const used = cache_read_tokens + cache_write_tokens > 0;
  return {
    hit_rate: Math.round((cache_read_tokens / input_tokens) * 10_000) / 10_000,
    breaks: [...cache_breaks],
    ...(used && price?.derived && { derived: true as const }),
    last: prompt,
  };
}

/** The counts with their cost, where the model has a price. */
export function priced(usage: Usage, { price }: ModelView): RunMetrics {
  const cost = costOf(usage, price);
  return { ...tokenCounts(usage), ...(cost !== undefined && { cost }), ...estimateMark(usage) };
}

/** Marks counts that are not, or not all, the service's own. */
const estimateMark = ({ usage_estimated }: Usage): Pick<RunMetrics, "usage_estimated"> =>
  usage_estimated ? { usage_estimated } : {};

const detail = (usage: Usage, model: ModelView) => ({
  id: model.id,
  provider: model.provider,
  ...priced(usage, model),
});
