import type { TracingEnv } from "../../shared/tracing/connect-tracing.ts";

/** Every run is traced, with its contents, and nothing is exported. */
export const tracingOn: TracingEnv = {
  TRACING: "on",
  TRACE_SAMPLE_RATIO: 1,
  TRACE_RETENTION_DAYS: 30,
  TRACE_CONTENT: "on",
  TRACE_REDACT: [],
  TRACE_PARENT: "link",
  OTLP_ENDPOINTS: [],
  OTLP_CONTENT: "false",
  OTLP_METRICS: "false",
  OS_ID: "front-desk",
  STAGE: "prod",
};
