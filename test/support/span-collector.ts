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

/** A collector of OpenTelemetry that takes OTLP over HTTP. `url` is the endpoint, `spans` what it was sent so far. */
export async function startSpanCollector() {
  const spans: ExportedSpan[] = [];
  const server = createServer(async (request, response) => {
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
    response.writeHead(200).end("{}");
  });
  const { address, stop } = await serveOnLoopback(server);
  return { url: `${address}/v1/traces`, spans, stop };
}

const plain = (attributes: readonly Attribute[]): ExportedSpan["attributes"] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));

function plainValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue) return arrayValue.values.map(plainValue);
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));
}

export type SpanCollector = Awaited<ReturnType<typeof startSpanCollector>>;
