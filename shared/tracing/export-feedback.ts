import type { Log } from "../runtime/log.ts";
import type { StoredFeedback } from "../stores/feedback/index.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { spanIdOf, traceIdOf } from "../stores/traces/index.ts";
import type { TracingEnv } from "./connect-tracing.ts";
import { type ContentRule, contentRule } from "./content-rule.ts";
import { exportedTrace } from "./exported-trace.ts";
import { besideTraces, nanoseconds, otlpAttributes, otlpScope, postOtlp } from "./otlp-json.ts";
import { headersFrom, resourceOf } from "./otlp-source.ts";
import { isSampled } from "./sampled.ts";

export type JudgedRun = Pick<StoredRun, "run_id" | "traceparent">;
export type ExportedFeedback = Pick<StoredFeedback, "key" | "score" | "value" | "comment" | "updated_at">;

/** Sends feedback to the endpoints that have the run's spans. What one does not take is dropped, and logged. */
export type ExportFeedback = (run: JudgedRun, feedback: ExportedFeedback) => Promise<void>;

/**
 * Exports feedback as log events, to `/v1/logs` beside each endpoint of traces.
 *
 * @returns undefined where nothing is exported
 * @source docs/interface/traces.md 3.4
 */
export function connectFeedbackExport(env: TracingEnv, log: Pick<Log, "error">): ExportFeedback | undefined {
  const targets = env.OTLP_ENDPOINTS.flatMap((url) => besideTraces(url, "logs") ?? []);
  if (env.TRACING === "off" || targets.length === 0) return undefined;
  const headers = headersFrom(env);
  const rule = contentRule(env.TRACE_CONTENT === "on" && env.OTLP_CONTENT === "true", env.TRACE_REDACT);
  const resource = { attributes: otlpAttributes(resourceOf(env)) };
  return async (run, feedback) => {
    if (!isSampled(traceIdOf(run.run_id), env.TRACE_SAMPLE_RATIO)) return;
    const logRecords = [eventOf(run, feedback, rule, env.TRACE_PARENT === "trust")];
    const body = JSON.stringify({
      resourceLogs: [{ resource, scopeLogs: [{ scope: otlpScope, logRecords }] }],
    });
    const send = async (url: string) => postOtlp(url, await headers(), body);
    const all = await Promise.allSettled(targets.map(send));
    for (const one of all)
      if (one.status === "rejected")
        log.error("feedback on a run was not taken", {
          run_id: run.run_id,
          error: one.reason,
          otlp_log_faults: 1,
        });
  };
}

/** OpenTelemetry's number of the severity INFO. */
const INFO = 9;
const SAMPLED = 1;

/** The event in the form of OTLP's JSON, below the span of the whole run. */
function eventOf(
  run: JudgedRun,
  { key, score, value, comment, updated_at }: ExportedFeedback,
  rule: ContentRule,
  isTrusted: boolean,
) {
  const label = value === undefined ? labelOf(key, score) : rule.content(value);
  const explanation = comment === undefined ? undefined : rule.content(comment);
  const at = nanoseconds(updated_at * 1000);
  return {
    ...{ timeUnixNano: at, observedTimeUnixNano: at, severityNumber: INFO },
    eventName: "gen_ai.evaluation.result",
    attributes: otlpAttributes({
      "gen_ai.evaluation.name": key,
      ...(score !== undefined && { "gen_ai.evaluation.score.value": score }),
      ...(label !== undefined && { "gen_ai.evaluation.score.label": label }),
      ...(explanation !== undefined && { "gen_ai.evaluation.explanation": explanation }),
      "agent_platform.run.id": run.run_id,
    }),
    traceId: exportedTrace(run, isTrusted).id,
    spanId: rootSpanId(run.run_id),
    flags: SAMPLED,
  };
}

const labelOf = (key: string, score: number | undefined): string | undefined =>
  key === "thumb" && score !== undefined ? (score > 0 ? "up" : "down") : undefined;

/** The id of the span of a whole run: its place in its trace is the run's id. */
const rootSpanId = (run_id: string): string => spanIdOf(traceIdOf(run_id), `/${run_id}`);
