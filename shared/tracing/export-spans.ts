import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import * as v from "valibot";

/** Sends ended spans to other endpoints. @throws where one of them refused the spans */
export type ExportSpans = (spans: readonly ReadableSpan[]) => Promise<void>;

const TIMEOUT_MS = 3_000;
const Headers = v.record(v.string(), v.string());

/**
 * Sends spans by OTLP over HTTP.
 *
 * @param urls     trace endpoints
 * @param headers  reads the text of a JSON object, such as one with an API key; repeated until it succeeds once
 */
export function exportByOtlp(
  urls: readonly string[],
  headers: (() => Promise<string>) | undefined,
): ExportSpans {
  let cached: Readonly<Record<string, string>> | undefined;
  const readHeaders = async () => {
    cached ??= headers ? v.parse(Headers, JSON.parse(await headers())) : {};
    return { ...cached };
  };
  const exporters = urls.map(
    (url) => new OTLPTraceExporter({ url, headers: readHeaders, timeoutMillis: TIMEOUT_MS }),
  );
  return async (spans) => {
    if (spans.length > 0) await Promise.all(exporters.map((exporter) => send(exporter, [...spans])));
  };
}

const send = (exporter: OTLPTraceExporter, spans: ReadableSpan[]): Promise<void> =>
  new Promise((resolve, reject) => {
    // 0 is the package's code for success.
    exporter.export(spans, ({ code, error }) =>
      code === 0 ? resolve() : reject(error ?? new Error("the spans were not taken")),
    );
  });
