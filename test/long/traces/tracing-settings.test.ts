import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT_CONTEXT } from "@opentelemetry/api";
import { SamplingDecision, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openSecrets } from "../../../local/aws/secrets.ts";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { spanAttributes } from "../../../shared/schemas/traces/span-attributes.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { readTrace } from "../../../shared/stores/traces/read-trace.ts";
import { traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import { connectTracing, type TracingEnv } from "../../../shared/tracing/connect-tracing.ts";
import { isSampled } from "../../../shared/tracing/sampled.ts";
import { queueWorld } from "../../support/queue-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";
import { tracingOn } from "../../traces/tracing-on.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const SUM = 'card 4111-1111 [[tool:add_numbers {"a":2,"b":3}]]';
/** Works off one run with these settings. */
async function traced(
  env: Partial<TracingEnv>,
  {
    message = SUM,
    db = stores.db,
    headers,
  }: { message?: string; db?: Db; headers?: Record<string, string> } = {},
) {
  const world = queueWorld(stores.db);
  const logged: Record<string, unknown>[] = [];
  const log = { error: (_: string, fields = {}) => void logged.push(fields) };
  const tracing = connectTracing({ ...tracingOn, ...env }, { db, clock: world.clock, log });
  const run: AcceptedRun = await world.submit(message, {}, undefined, headers);
  await world.deliver(run.run_id, tracing ? { tracing } : {});
  const read = (laterDays = 0) =>
    readTrace(
      stores.db,
      traceIdOf(run.run_id),
      "maria",
      Math.floor(world.clock.now() / 1000) + laterDays * 86_400,
    );
  return { world, run, read, logged };
}

describe("content", () => {
  test("is kept as it is, unless configured otherwise", async () => {
    const { spans } = await (await traced({})).read();
    expect(JSON.stringify(spans)).toContain("4111-1111");
  });

  test("that matches a pattern is taken out wherever it stands", async () => {
    const { trace, spans } = await (await traced({ TRACE_REDACT: ["\\d{4}-\\d{4}"] })).read();
    expect(JSON.stringify([trace, spans])).not.toContain("4111");
    expect(trace?.input).toContain("card [redacted]");
  });

  test("is not kept at all where it is switched off; figures, names and errors are", async () => {
    const { trace, spans } = await (
      await traced({ TRACE_CONTENT: "off" }, { message: `${SUM}[[fail:broken]]` })
    ).read();
    expect(JSON.stringify([trace, spans])).not.toContain("4111");
    expect(trace).not.toHaveProperty("input");
    expect(spans.map(({ attributes }) => attributes[spanAttributes.tool])).toContain("add_numbers");
    expect(spans.some(({ error }) => error?.includes("broken"))).toBe(true);
    expect(spans.some(({ attributes }) => Number(attributes[spanAttributes.inputTokens]) > 0)).toBe(true);
  });
});

describe("sampling", () => {
  test("decides as OpenTelemetry's sampler does", () => {
    for (const ratio of [0, 0.001, 0.25, 0.5, 0.999, 1]) {
      const sampler = new TraceIdRatioBasedSampler(ratio);
      for (let i = 0; i < 200; i += 1) {
        const id = traceIdOf(`${ratio}-${i}`);
        const { decision } = sampler.shouldSample(ROOT_CONTEXT, id);
        expect(isSampled(id, ratio), `${id} at ${ratio}`).toBe(
          decision === SamplingDecision.RECORD_AND_SAMPLED,
        );
      }
    }
  });

  test("traces nothing of a run that is left out, and all of one that is not", async () => {
    const kept = [];
    for (let i = 0; i < 24; i += 1) {
      const { spans } = await (await traced({ TRACE_SAMPLE_RATIO: 0.5 })).read();
      kept.push(spans.length);
    }
    // Twenty-four coins never fall alike but once in ten million times.
    expect(new Set(kept)).toEqual(new Set([0, 4]));
  });

  test("at 0 writes nothing, and switched off is not there at all", async () => {
    expect((await (await traced({ TRACE_SAMPLE_RATIO: 0 })).read()).writes).toBe(0);
    const world = queueWorld(stores.db);
    const log = { error: () => undefined };
    expect(
      connectTracing({ ...tracingOn, TRACING: "off" }, { db: stores.db, clock: world.clock, log }),
    ).toBeUndefined();
  });
});

test("a trace is gone once its days are over", async () => {
  const { read } = await traced({ TRACE_RETENTION_DAYS: 2 });
  expect((await read(2)).trace).toBeDefined();
  expect(await read(4)).toMatchObject({ trace: undefined, spans: [] });
});

test("a trace that no item could hold is kept as an object, and comes back whole", async () => {
  const noise = Array.from({ length: 90_000 }, () => Math.random().toString(36).charAt(2)).join("");
  const { read } = await traced({}, { message: noise });
  const { trace, spans } = await read();
  expect(trace?.input).toHaveLength(500);
  expect(spans.find(({ parent_id }) => !parent_id)?.attributes[spanAttributes.input]).toBe(noise);
});

test("an outage of the trace store fails no run; it is logged, to be counted", async () => {
  const client = new Proxy(stores.db.client, {
    get: (target, name) =>
      name === "send"
        ? (command: { input: { RequestItems?: object } }) =>
            Object.hasOwn(command.input.RequestItems ?? {}, stores.db.tables.traces)
              ? Promise.reject(new Error("the table is away"))
              : target.send(command as never)
        : Reflect.get(target, name),
  });
  const { world, run, read, logged } = await traced({}, { db: { ...stores.db, client } });
  expect(await world.job(run.run_id)).toMatchObject({ status: "completed" });
  expect((await read()).writes).toBe(0);
  expect(logged).toEqual([
    expect.objectContaining({ run_id: run.run_id, error: new Error("the table is away"), trace_faults: 1 }),
  ]);
});

/** A Secrets Manager over a folder, which clients of this process find. */
async function secretsManager(folder: string) {
  const secrets = openSecrets(folder);
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const answer = await secrets.answer({ service: "secretsmanager", operation: "GetSecretValue", body });
    response.writeHead(answer.status, { "x-amzn-errortype": answer.type ?? "" });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "LOCAL");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
  return {
    stop: () => {
      server.close();
      vi.unstubAllEnvs();
    },
  };
}

describe("a place that spans are sent to", () => {
  type Sent = { url: string | undefined; key: unknown; body: string };

  async function collector(status: number) {
    const sent: Sent[] = [];
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        sent.push({
          url: request.url,
          key: request.headers["x-tenant"],
          body: Buffer.concat(parts).toString(),
        });
        response.writeHead(status).end("{}");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { sent, url: `http://127.0.0.1:${port}/v1/traces`, stop: () => server.close() };
  }

  test("is given the very spans that are stored, once", async () => {
    const place = await collector(200);
    const { read, run, logged } = await traced({ OTLP_ENDPOINTS: [place.url] });
    place.stop();
    expect(logged).toEqual([]);
    expect(place.sent).toHaveLength(1);
    const [request] = JSON.parse(place.sent[0]?.body ?? "").resourceSpans;
    expect(request.resource.attributes).toEqual([
      { key: "service.name", value: { stringValue: "front-desk" } },
      { key: "service.version", value: { stringValue: expect.stringMatching(/^\d+\.\d+\.\d+/) } },
      { key: "deployment.environment.name", value: { stringValue: "prod" } },
    ]);
    const spans = request.scopeSpans[0].spans;
    const stored = (await read()).spans;
    expect(spans.map(({ spanId }: { spanId: string }) => spanId).sort()).toEqual(
      stored.map(({ id }) => id).sort(),
    );
    expect(new Set(spans.map(({ traceId }: { traceId: string }) => traceId))).toEqual(
      new Set([traceIdOf(run.run_id)]),
    );
    const names = spans.flatMap(({ attributes }: { attributes: { key: string }[] }) =>
      attributes.map(({ key }) => key),
    );
    expect(names).toEqual(
      expect.arrayContaining([
        "gen_ai.operation.name",
        "gen_ai.request.model",
        "gen_ai.usage.input_tokens",
        "gen_ai.tool.name",
      ]),
    );
  });

  describe("of a run that was requested in another system's trace", () => {
    const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const headers = { traceparent: `00-${traceId}-${spanId}-01`, baggage: "tenant=theirs" };
    type Exported = {
      readonly traceId: string;
      readonly spanId: string;
      readonly parentSpanId?: string;
      readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
    };

    async function exported(env: Partial<TracingEnv>, sent: Record<string, string> = headers) {
      const place = await collector(200);
      const { run, read, world } = await traced({ OTLP_ENDPOINTS: [place.url], ...env }, { headers: sent });
      place.stop();
      const spans = place.sent.flatMap(
        ({ body }): Exported[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans,
      );
      const { spans: stored } = await read();
      const root = stored.find(({ parent_id }) => parent_id === undefined)?.id;
      const ids = new Set(spans.map((span) => span.traceId));
      return {
        ...{ run, world, spans, stored, ids, text: JSON.stringify([place.sent, await world.run(run)]) },
        root: spans.find((span) => span.spanId === root),
      };
    }

    test("links to it, and stays a trace of its own; baggage goes nowhere", async () => {
      const { run, root, spans, ids, text } = await exported({});
      expect(ids).toEqual(new Set([traceIdOf(run.run_id)]));
      expect(root).toMatchObject({ links: [{ traceId, spanId }] });
      expect(root?.parentSpanId).toBeUndefined();
      expect(spans.flatMap(({ links }) => links)).toHaveLength(1);
      expect(text).not.toContain("theirs");
    });

    test("is part of it where callers are trusted; what is stored keeps its own", async () => {
      const { root, spans, stored, ids } = await exported({ TRACE_PARENT: "trust" });
      expect(ids).toEqual(new Set([traceId]));
      expect(root).toMatchObject({ parentSpanId: spanId, links: [] });
      expect(spans.map((span) => span.spanId).sort()).toEqual(stored.map(({ id }) => id).sort());
    });

    test.each(["link", "trust"] as const)("is not sampled because that one is (%s)", async (TRACE_PARENT) => {
      const { spans, stored } = await exported({ TRACE_PARENT, TRACE_SAMPLE_RATIO: 0 });
      expect([spans, stored]).toEqual([[], []]);
    });

    test("has no link where it is malformed", async () => {
      const { root, world, run } = await exported({}, { traceparent: `00-${"0".repeat(32)}-${spanId}-01` });
      expect(root?.links).toEqual([]);
      expect(await world.run(run)).not.toHaveProperty("traceparent");
    });
  });

  test("receives the headers that a machine has in its environment", async () => {
    const place = await collector(200);
    await traced({ OTLP_ENDPOINTS: [place.url], OTLP_HEADERS: '{"x-tenant": "mine"}' });
    expect(place.sent.map(({ key }) => key)).toEqual(["mine"]);
    place.stop();
  });

  test("receives the headers of a secret, also when that could not be read at first", async () => {
    const place = await collector(200);
    const folder = mkdtempSync(join(tmpdir(), "secrets-"));
    const manager = await secretsManager(folder);
    const lines: object[] = [];
    const world = queueWorld(stores.db);
    const tracing = connectTracing(
      { ...tracingOn, OTLP_ENDPOINTS: [place.url], OTLP_HEADERS_SECRET: "otlp/headers" },
      { db: stores.db, clock: world.clock, log: { error: (_, fields = {}) => void lines.push(fields) } },
    );
    const work = async () => {
      const { run_id } = await world.submit("hello");
      await world.deliver(run_id, tracing ? { tracing } : {});
    };
    await work();
    expect([place.sent.length, lines]).toEqual([0, [expect.objectContaining({ trace_faults: 1 })]]);
    writeFileSync(join(folder, encodeURIComponent("otlp/headers")), '{"x-tenant": "ours"}');
    await work();
    await work();
    expect([place.sent.map(({ key }) => key), lines.length]).toEqual([["ours", "ours"], 1]);
    place.stop();
    manager.stop();
    rmSync(folder, { recursive: true });
  });

  test("that refuses them fails no run, and the table has them all the same", async () => {
    const place = await collector(400);
    const { world, run, read, logged } = await traced({ OTLP_ENDPOINTS: [place.url] });
    place.stop();
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed" });
    expect((await read()).trace).toMatchObject({ total_spans: 4 });
    expect(logged).toEqual([expect.objectContaining({ trace_faults: 1 })]);
  });
});
