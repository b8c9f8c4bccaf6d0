import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

export type ExportedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 1 is internal, 3 a call of another system. */
  readonly kind: number;
  /** 1 is well, 2 an error. */
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
  /** What has recorded it, with its version. */
  readonly scope: string;
  /** Who has recorded it, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
};

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
};
type Attribute = { readonly key: string; readonly value: Value };
type SentSpan = Omit<ExportedSpan, "resource" | "attributes" | "scope"> & {
  readonly attributes: readonly Attribute[];
};
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version?: string };
      readonly spans: readonly SentSpan[];
    }[];
  }[];
};

/** A metric as it was sent: a sum or a histogram. */
export type ExportedMetric = {
  readonly name: string;
  readonly points: readonly {
    readonly dimensions: Readonly<Record<string, unknown>>;
    /** A sum, or how many durations there were. */
    readonly count: number;
    readonly sum?: number;
    readonly bucketCounts?: readonly string[];
  }[];
};

type SentPoint = {
  readonly attributes: readonly Attribute[];
  readonly asInt?: string;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
};
type SentMetrics = {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly sum?: { readonly dataPoints: readonly SentPoint[] };
        readonly histogram?: { readonly dataPoints: readonly SentPoint[] };
      }[];
    }[];
  }[];
};

/** A log record as it was sent: an event, below a span. */
export type ExportedLog = {
  readonly eventName: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
};

type SentLogs = {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly {
      readonly logRecords: readonly (Omit<ExportedLog, "attributes"> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
};

/**
 * A collector of OpenTelemetry that takes OTLP over HTTP. `url` is the endpoint of spans, `spans`, `metrics` and `logs` what it was sent
 * so far; while `takesMetrics` or `takesLogs` is false it answers them 503, and while `answers` is false it answers nothing.
 */
export async function startSpanCollector() {
  const spans: ExportedSpan[] = [];
  const metrics: ExportedMetric[] = [];
  const logs: ExportedLog[] = [];
  const state = { answers: true, takesMetrics: true, takesLogs: true };
  const server = createServer(async (request, response) => {
    if (!state.answers) return;
    if (request.url === "/v1/metrics") {
      const sent: SentMetrics = JSON.parse(await text(request));
      if (state.takesMetrics) metrics.push(...metricsIn(sent));
      return response.writeHead(state.takesMetrics ? 200 : 503).end("{}");
    }
    if (request.url === "/v1/logs") {
      const sent: SentLogs = JSON.parse(await text(request));
      if (state.takesLogs) logs.push(...logsIn(sent));
      return response.writeHead(state.takesLogs ? 200 : 503).end("{}");
    }
    const { resourceSpans }: Sent = JSON.parse(await text(request));
    for (const { resource, scopeSpans } of resourceSpans) {
      const from = Object.fromEntries(
        resource.attributes.map(({ key, value }) => [key, value.stringValue ?? ""]),
      );
      for (const { scope, spans: sent } of scopeSpans) {
        const by = { resource: from, scope: `${scope.name} ${scope.version}` };
        spans.push(...sent.map((span) => ({ ...span, ...by, attributes: plain(span.attributes) })));
      }
    }
    return response.writeHead(200).end("{}");
  });
  const { address, stop } = await serveOnLoopback(server);
  return { url: `${address}/v1/traces`, spans, metrics, logs, state, stop };
}

const logsIn = ({ resourceLogs }: SentLogs): readonly ExportedLog[] =>
  resourceLogs
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap(({ logRecords }) => logRecords)
    .map((record) => ({ ...record, attributes: plain(record.attributes) }));

const metricsIn = ({ resourceMetrics }: SentMetrics): readonly ExportedMetric[] =>
  resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .map(({ name, sum, histogram }) => ({
      name,
      points:
        (sum ?? histogram)?.dataPoints.map((point) => ({
          dimensions: plain(point.attributes),
          count: Number(point.asInt ?? point.count),
          ...(point.sum !== undefined && { sum: point.sum }),
          ...(point.bucketCounts && { bucketCounts: point.bucketCounts }),
        })) ?? [],
    }));

const plain = (attributes: readonly Attribute[]): ExportedSpan["attributes"] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));

function plainValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue) return arrayValue.values.map(plainValue);
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));
}

export type SpanCollector = Awaited<ReturnType<typeof startSpanCollector>>;
