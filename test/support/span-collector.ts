import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";

export type ExportedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Who has recorded it, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
};

type Attribute = { readonly key: string; readonly value: { readonly stringValue?: string } };
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ExportedSpan, "resource">[] }[];
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
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, resource: from }))));
    }
    response.writeHead(200).end("{}");
  });
  const { address, stop } = await serveOnLoopback(server);
  return { url: `${address}/v1/traces`, spans, stop };
}
export type SpanCollector = Awaited<ReturnType<typeof startSpanCollector>>;
