import { spanAttributes as names } from "../schemas/traces/span-attributes.ts";
import { conventionalSpan } from "./conventional-span.ts";
import { nanoseconds, otlpAttributes } from "./otlp-json.ts";
import type { RecordedSpan } from "./record-spans.ts";

/** Bounds of durations in seconds. @source OpenTelemetry's conventions for generative AI, "Metrics" */
const BOUNDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

type Value = string | number | boolean | readonly string[];
type Dimensions = Readonly<Record<string, Value>>;

/** Dimensions are texts. */
const dimensionsOf = (values: Dimensions) =>
  otlpAttributes(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));

/** What a number of spans say about one metric, by its dimensions. */
type Measured = { readonly dimensions: Dimensions; readonly values: number[] };

const INFERENCE = "gen_ai.client.inference";

/** Metrics of model calls that count tokens, with the attribute of the span that has the number. */
const counted: Readonly<Record<string, string>> = {
  [`${INFERENCE}.usage.input_tokens`]: names.inputTokens,
  [`${INFERENCE}.usage.output_tokens`]: names.outputTokens,
  [`${INFERENCE}.usage.cache_read.input_tokens`]: names.cacheReadTokens,
  [`${INFERENCE}.usage.cache_write.input_tokens`]: names.cacheWriteTokens,
  [`${INFERENCE}.usage.reasoning.output_tokens`]: names.reasoningTokens,
};

const ofCalls = [names.operation, names.provider, names.model, names.responseModel, names.errorType] as const;
const ofAgents = [names.operation, names.componentName, names.errorType] as const;
const ofTools = [names.operation, names.tool, names.toolType, names.errorType] as const;

/** The metric of how long something took, with its dimensions: never a user, a session or a run. */
const durations: Readonly<Record<string, readonly [metric: string, dimensions: readonly string[]]>> = {
  LLM: [`${INFERENCE}.duration`, ofCalls],
  AGENT: ["gen_ai.invoke_agent.duration", ofAgents],
  CHAIN: ["gen_ai.invoke_agent.duration", ofAgents],
  TOOL: ["gen_ai.execute_tool.duration", ofTools],
};

/**
 * The metrics of spans that have ended, as OTLP's JSON has them: one batch of deltas.
 *
 * @param now_ms  end of the interval; it begins with the first span
 * @returns       the value of `metrics`; empty where the spans say nothing
 * @source OpenTelemetry protocol 1.5, `opentelemetry/proto/metrics/v1/metrics.proto`
 */
export function metricBatch(spans: readonly RecordedSpan[], now_ms: number): readonly object[] {
  const seconds = new Map<string, Map<string, Measured>>();
  const tokens = new Map<string, Map<string, Measured>>();
  for (const span of spans) {
    const { attributes } = conventionalSpan(span, false);
    if (span.end_ms === undefined || attributes[names.operation] === undefined) continue;
    const [metric, which] = durations[String(attributes[names.kind])] ?? [];
    if (!metric || !which) continue;
    const dimensions = pick(attributes, which);
    add(seconds, metric, dimensions, (span.end_ms - span.start_ms) / 1000);
    if (metric !== `${INFERENCE}.duration`) continue;
    const first = attributes[names.timeToFirstChunk];
    if (typeof first === "number") add(seconds, `${INFERENCE}.time_to_first_chunk`, dimensions, first);
    for (const [name, attribute] of Object.entries(counted)) {
      const count = attributes[attribute];
      if (typeof count === "number" && count > 0)
        add(tokens, name, { ...dimensions, "gen_ai.token.modality": "text" }, count);
    }
  }
  const begun = spans.reduce((first, { start_ms }) => Math.min(first, start_ms), now_ms);
  const times = { startTimeUnixNano: nanoseconds(begun), timeUnixNano: nanoseconds(now_ms) };
  return [
    ...[...seconds].map(([name, byDimension]) => ({
      ...{ name, unit: "s" },
      histogram: {
        aggregationTemporality: DELTA,
        dataPoints: [...byDimension.values()].map((one) => ({ ...times, ...histogramPoint(one) })),
      },
    })),
    ...[...tokens].map(([name, byDimension]) => ({
      ...{ name, unit: "{token}" },
      sum: {
        aggregationTemporality: DELTA,
        isMonotonic: true,
        dataPoints: [...byDimension.values()].map(({ dimensions, values }) => ({
          ...times,
          attributes: dimensionsOf(dimensions),
          asInt: String(sumOf(values)),
        })),
      },
    })),
  ];
}

const DELTA = 1;

function add(
  metrics: Map<string, Map<string, Measured>>,
  metric: string,
  dimensions: Dimensions,
  value: number,
): void {
  const byDimension = metrics.get(metric) ?? new Map<string, Measured>();
  metrics.set(metric, byDimension);
  const key = JSON.stringify(dimensions);
  const measured = byDimension.get(key) ?? { dimensions, values: [] };
  byDimension.set(key, measured);
  measured.values.push(value);
}

const pick = (attributes: RecordedSpan["attributes"], which: readonly string[]): Dimensions =>
  Object.fromEntries(
    which.flatMap((name) => {
      const value = attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

function histogramPoint({ dimensions, values }: Measured) {
  const bucketCounts = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  for (const value of values) {
    const at = BOUNDS.findIndex((bound) => value <= bound);
    const bucket = at < 0 ? BOUNDS.length : at;
    bucketCounts[bucket] = (bucketCounts[bucket] ?? 0) + 1;
  }
  return {
    attributes: dimensionsOf(dimensions),
    count: String(values.length),
    sum: sumOf(values),
    min: Math.min(...values),
    max: Math.max(...values),
    explicitBounds: BOUNDS,
    bucketCounts: bucketCounts.map(String),
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
