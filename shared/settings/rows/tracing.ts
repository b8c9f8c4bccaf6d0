import * as v from "valibot";
import { choice, eachOf, jsonArray, onOff, secretName, texts, yesNo } from "../forms.ts";
import type { Settings } from "../setting.ts";

const PATTERNS = "must be a JSON array of regular expressions";

/** Which runs are recorded step by step, and where the spans go. The share and the time are among the limits of runs. */
export const tracing = {
  /**
   * whether runs are traced, which is `on` with `npm start` and on stage `dev`, else `off`:
   * [what that costs](decisions/2026-11-21-traces.md)
   */
  tracing: { variable: "TRACING", form: onOff, default: { otherwise: "off", development: "on" } },
  /** whether traces contain inputs, outputs and arguments. Errors are contained in any case */
  traceContent: { variable: "TRACE_CONTENT", form: onOff, default: "on" },
  /** what matches one of these is `[redacted]` in traces */
  traceRedact: {
    variable: "TRACE_REDACT",
    form: jsonArray(
      "a JSON array of regular expressions",
      v.array(v.pipe(v.string(PATTERNS), v.check(isPattern, PATTERNS))),
      PATTERNS,
    ),
    default: "[]",
  },
  /**
   * endpoints to which spans are exported, by OTLP over HTTP, such as `https://collector.example/v1/traces`; needs
   * `tracing`
   */
  otlpEndpoints: {
    variable: "OTLP_ENDPOINTS",
    form: texts(
      "URLs, separated by commas",
      eachOf(v.pipe(v.string(), v.url("must be URLs, separated by commas"))),
    ),
    unset: "",
  },
  /**
   * whether exported spans contain what was said, as far as `traceContent` records it; other systems keep it as long as they like
   */
  otlpContent: { variable: "OTLP_CONTENT", form: yesNo, default: "false" },
  /**
   * whether durations and tokens of traced runs are exported as metrics too, to `/v1/metrics` beside each of the endpoints, which end
   * with `/v1/traces` then
   */
  otlpMetrics: { variable: "OTLP_METRICS", form: yesNo, default: "false" },
  /**
   * what the `traceparent` of a request is for exported spans: `link`, or `trust`, which makes them part of the caller's trace:
   * for an instance that only your own services call
   */
  traceParent: { variable: "TRACE_PARENT", form: choice("link", "trust"), default: "link" },
  /** Secrets Manager secret with headers for the endpoints, as a JSON object: `{"x-api-key": "…"}` */
  otlpHeadersSecret: { variable: "OTLP_HEADERS_SECRET", local: false, form: secretName },
} as const satisfies Settings;

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, "gu"));
  } catch {
    return false;
  }
}
