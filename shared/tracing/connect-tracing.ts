import type { Tracing } from "../engine/ports/tracing.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { readSecret } from "../runtime/secrets/read-secret.ts";
import type { Db } from "../stores/db.ts";
import { contentRule } from "./content-rule.ts";
import type { TraceDeps } from "./open-trace.ts";
import { resourceOf } from "./resource-of.ts";

/** Settings of the functions that execute runs. */
export type TracingEnv = {
  readonly OS_ID: string;
  readonly STAGE: string;
  readonly TRACING: "on" | "off";
  readonly TRACE_SAMPLE_RATIO: number;
  readonly TRACE_RETENTION_DAYS: number;
  readonly TRACE_CONTENT: "on" | "off";
  readonly TRACE_REDACT: readonly string[];
  readonly TRACE_PARENT: "link" | "trust";
  readonly OTLP_ENDPOINTS: readonly string[];
  readonly OTLP_HEADERS_SECRET?: string | undefined;
};

/**
 * Traces runs as the settings say. OpenTelemetry is loaded by the first traced run, its exporter only where endpoints are
 * set.
 *
 * @returns undefined where nothing is traced
 */
export function connectTracing(
  env: TracingEnv,
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Pick<Log, "error"> },
): Tracing | undefined {
  if (env.TRACING === "off") return undefined;
  let deps: Promise<TraceDeps> | undefined;
  const connect = async (): Promise<TraceDeps> => ({
    db,
    clock,
    log,
    rule: contentRule(env.TRACE_CONTENT === "on", env.TRACE_REDACT),
    ratio: env.TRACE_SAMPLE_RATIO,
    retentionDays: env.TRACE_RETENTION_DAYS,
    resource: resourceOf(env),
    trustsParent: env.TRACE_PARENT === "trust",
    ...(env.OTLP_ENDPOINTS.length > 0 && { exportSpans: await connectExport(env) }),
  });
  return {
    async open(run, execution) {
      deps ??= connect();
      const [{ openTrace }, connected] = await Promise.all([import("./open-trace.ts"), deps]);
      return openTrace(connected, run, execution);
    },
  };
}

async function connectExport({ OTLP_ENDPOINTS, OTLP_HEADERS_SECRET: secret }: TracingEnv) {
  const { exportByOtlp } = await import("./export-spans.ts");
  return exportByOtlp(OTLP_ENDPOINTS, secret === undefined ? undefined : () => readSecret(secret));
}
