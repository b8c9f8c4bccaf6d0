import type { Tracing } from "../engine/ports/tracing.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Db } from "../stores/db.ts";
import { contentRule } from "./content-rule.ts";
import { openTrace, type TraceDeps } from "./open-trace.ts";
import { headersFrom, type OtlpSource, resourceOf } from "./otlp-source.ts";

/** Settings of the functions that execute runs. */
export type TracingEnv = OtlpSource & {
  readonly TRACING: "on" | "off";
  readonly TRACE_SAMPLE_RATIO: number;
  readonly TRACE_RETENTION_DAYS: number;
  readonly TRACE_CONTENT: "on" | "off";
  readonly TRACE_REDACT: readonly string[];
  readonly TRACE_PARENT: "link" | "trust";
  readonly OTLP_ENDPOINTS: readonly string[];
  readonly OTLP_CONTENT: "true" | "false";
  readonly OTLP_METRICS: "true" | "false";
};

/**
 * Traces runs as the settings say. OpenTelemetry, which exports them, is loaded by the first traced run where endpoints are set.
 *
 * @returns undefined where nothing is traced
 */
export function connectTracing(
  env: TracingEnv,
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Pick<Log, "error"> },
): Tracing | undefined {
  if (env.TRACING === "off") return undefined;
  const deps = {
    db,
    clock,
    log,
    rule: contentRule(env.TRACE_CONTENT === "on", env.TRACE_REDACT),
    showsPrompts: env.TRACE_CONTENT === "on" && env.OTLP_CONTENT === "true" && env.OTLP_ENDPOINTS.length > 0,
    ratio: env.TRACE_SAMPLE_RATIO,
    retentionDays: env.TRACE_RETENTION_DAYS,
    trustsParent: env.TRACE_PARENT === "trust",
  };
  if (env.OTLP_ENDPOINTS.length === 0) return { open: (run, execution) => openTrace(deps, run, execution) };
  let connected: Promise<TraceDeps> | undefined;
  const connect = async (): Promise<TraceDeps> => ({ ...deps, ...(await connectExport(env)) });
  return {
    async open(run, execution) {
      connected ??= connect();
      return openTrace(await connected, run, execution);
    },
  };
}

async function connectExport(env: TracingEnv): Promise<Pick<TraceDeps, "exportSpans" | "exportMetrics">> {
  const { exportByOtlp } = await import("./export-spans.ts");
  const { OTLP_ENDPOINTS: urls } = env;
  const headers = headersFrom(env);
  const from = resourceOf(env);
  const exportSpans = exportByOtlp(urls, from, env.OTLP_CONTENT === "true", headers);
  if (env.OTLP_METRICS === "false") return { exportSpans };
  const { exportMetricsByOtlp } = await import("./export-metrics.ts");
  return { exportSpans, exportMetrics: exportMetricsByOtlp(urls, from, headers) };
}
