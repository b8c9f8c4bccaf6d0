import manifest from "../../package.json" with { type: "json" };
import { GENAI_SEMCONV } from "./conventional-span.ts";
import { metricBatch, otlpAttributes } from "./metric-batch.ts";
import type { RecordedSpan } from "./record-spans.ts";

/** Sends the metrics of ended spans. @throws where an endpoint did not take them; they are not sent again */
export type ExportMetrics = (spans: readonly RecordedSpan[], now_ms: number) => Promise<void>;

/** A slice waits no longer for an endpoint that does not answer. */
const TIMEOUT_MS = 2_000;

/**
 * Sends metrics by OTLP over HTTP, as JSON: one request for each slice of a run and endpoint.
 *
 * @param urls     trace endpoints; `/v1/traces` at the end becomes `/v1/metrics`
 * @param from     who has measured, by OpenTelemetry's names
 * @param headers  of each request
 * @source docs/interface/traces.md 3.3
 */
export function exportMetricsByOtlp(
  urls: readonly string[],
  from: Readonly<Record<string, string>>,
  headers: () => Promise<Readonly<Record<string, string>>>,
): ExportMetrics {
  const targets = urls.map((url) => url.replace(/\/v1\/traces$/, "/v1/metrics"));
  const scope = { name: "agent-platform", version: `${manifest.version}+genai.${GENAI_SEMCONV}` };
  return async (spans, now_ms) => {
    const metrics = metricBatch(spans, now_ms);
    if (metrics.length === 0) return;
    const body = JSON.stringify({
      resourceMetrics: [
        { resource: { attributes: otlpAttributes(from) }, scopeMetrics: [{ scope, metrics }] },
      ],
    });
    const sent = { ...(await headers()), "content-type": "application/json" };
    await Promise.all(targets.map((url) => post(url, sent, body)));
  };
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the endpoint answered the metrics with ${answer.status}`);
}
