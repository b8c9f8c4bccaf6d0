import { metricBatch } from "./metric-batch.ts";
import { besideTraces, otlpAttributes, otlpScope, postOtlp } from "./otlp-json.ts";
import type { RecordedSpan } from "./record-spans.ts";

/** Sends the metrics of ended spans. @throws where an endpoint did not take them; they are not sent again */
export type ExportMetrics = (spans: readonly RecordedSpan[], now_ms: number) => Promise<void>;

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
  const targets = urls.map((url) => besideTraces(url, "metrics") ?? url);
  return async (spans, now_ms) => {
    const metrics = metricBatch(spans, now_ms);
    if (metrics.length === 0) return;
    const body = JSON.stringify({
      resourceMetrics: [
        { resource: { attributes: otlpAttributes(from) }, scopeMetrics: [{ scope: otlpScope, metrics }] },
      ],
    });
    const sent = await headers();
    await Promise.all(targets.map((url) => postOtlp(url, sent, body)));
  };
}
