import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import type { TracingEnv } from "../../../shared/tracing/connect-tracing.ts";
import { connectFeedbackExport } from "../../../shared/tracing/export-feedback.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type SpanCollector, startSpanCollector } from "../../support/span-collector.ts";
import { tracingOn } from "../../traces/tracing-on.ts";

/** What leaves for an endpoint of OpenTelemetry: spans, metrics, and feedback as log events. */
let platform: TestPlatform;
let collector: SpanCollector;
let maria: Client;

beforeAll(async () => {
  collector = await startSpanCollector();
  platform = await startPlatform({
    env: {
      TRACING: "on",
      ...{ OTLP_CONTENT: "true", OTLP_METRICS: "true" },
      OTLP_ENDPOINTS: collector.url,
      FETCH_ALLOWED_HOSTS: new URL(collector.url).host,
    },
  });
  maria = clientOf(platform.url, platform.token("maria", ["agents:run", "agents:read", "traces:read"]));
});
afterAll(async () => {
  await platform?.stop();
  await collector?.stop();
});

async function aRun() {
  const { run_id, session_id } = (await maria.run("Where is my order?")).json;
  const logs = () =>
    collector.logs.filter(({ attributes }) => attributes["agent_platform.run.id"] === run_id);
  const give = (said: object) => maria.post(`/runs/${run_id}/feedback`, { json: { session_id, ...said } });
  return { run_id, session_id, logs, give };
}

describe("feedback on an exported run", () => {
  test("is an event below its root span, with name, score, label and why; a change is another one", async () => {
    const { run_id, logs, give } = await aRun();
    expect((await give({ key: "thumb", score: 0, comment: "Too slow" })).status).toBe(201);
    const ofRun = () => collector.spans.find((span) => span.attributes["agent_platform.run.id"] === run_id);
    await expect.poll(ofRun).toMatchObject({ name: "invoke_agent Assistant" });
    const root = ofRun();
    expect(root?.parentSpanId).toBeUndefined();
    expect(logs()).toMatchObject([
      {
        eventName: "gen_ai.evaluation.result",
        ...{ traceId: root?.traceId, spanId: root?.spanId },
        attributes: {
          "gen_ai.evaluation.name": "thumb",
          "gen_ai.evaluation.score.value": 0,
          "gen_ai.evaluation.score.label": "down",
          "gen_ai.evaluation.explanation": "Too slow",
        },
      },
    ]);
    await give({ key: "thumb", score: 0, comment: "Too slow" });
    expect(logs(), "what is said again is not sent again").toHaveLength(1);
    await give({ key: "thumb", score: 1 });
    expect(logs()[1]?.attributes).toMatchObject({ "gen_ai.evaluation.score.label": "up" });
    expect(logs()[1]?.attributes).not.toHaveProperty("gen_ai.evaluation.explanation");
  });

  test("is recorded too where the endpoint does not take it", async () => {
    const { logs, give } = await aRun();
    collector.state.takesLogs = false;
    expect((await give({ key: "rating", score: 4 })).status).toBe(201);
    collector.state.takesLogs = true;
    expect(logs()).toEqual([]);
    expect(platform.lines.join("\n")).toContain("feedback on a run was not taken");
  });
});

describe("what leaves", () => {
  const said = { key: "tone", value: "rude", comment: "card 4111-1111", updated_at: 1_700_000_000 };
  let runs = 0;
  async function attributesWith(env: Partial<TracingEnv>) {
    const failed: string[] = [];
    const log = { error: (text: string) => void failed.push(text) };
    const send = connectFeedbackExport({ ...tracingOn, OTLP_ENDPOINTS: [collector.url], ...env }, log);
    runs += 1;
    await send?.({ run_id: `exported-${runs}` }, said);
    expect(failed).toEqual([]);
    return collector.logs.find(({ attributes }) => attributes["agent_platform.run.id"] === `exported-${runs}`)
      ?.attributes;
  }

  test("has no words of the author without traceContent, and none without otlpContent", async () => {
    for (const env of [{ TRACE_CONTENT: "off", OTLP_CONTENT: "true" }, { OTLP_CONTENT: "false" }] as const)
      expect(await attributesWith(env)).toEqual({
        "gen_ai.evaluation.name": "tone",
        "agent_platform.run.id": `exported-${runs}`,
      });
  });

  test("is redacted as spans are", async () => {
    const attributes = await attributesWith({ OTLP_CONTENT: "true", TRACE_REDACT: ["\\d{4}-\\d{4}"] });
    expect(attributes).toMatchObject({
      "gen_ai.evaluation.score.label": "rude",
      "gen_ai.evaluation.explanation": "card [redacted]",
    });
  });

  test("is nothing where runs are not traced, not sampled, or no endpoint is of OTLP's logs", async () => {
    const without = [
      { TRACING: "off" },
      { OTLP_ENDPOINTS: [] },
      { TRACE_SAMPLE_RATIO: 0 },
      { OTLP_ENDPOINTS: ["http://127.0.0.1:9/otel"] },
    ] as const;
    for (const env of without) expect(await attributesWith(env)).toBeUndefined();
  });
});

describe("a run whose spans are not taken", () => {
  /** What a client waits for a run of half a second, twice. */
  async function waited(form: Record<string, string>) {
    const runs = [];
    for (const _ of ["once", "twice"]) {
      const from = performance.now();
      const { json } = await maria.run("[[sleep:500]]", form);
      const { status } = form.background ? await maria.settled(json) : json;
      expect(status).toBe("COMPLETED");
      runs.push({ ms: performance.now() - from, run_id: String(json.run_id) });
    }
    return runs;
  }
  const text = "[[sleep:500]]";
  const said = { model: "agent:assistant", messages: [{ role: "user", content: text }] };
  const tool = { name: "run_agent", arguments: { agent_id: "assistant", message: text } };
  const ways: Readonly<Record<string, () => { readonly path: string; readonly json: object }>> = {
    "[DONE]": () => ({
      path: "/agents/assistant/chat",
      json: {
        id: crypto.randomUUID(),
        messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }],
      },
    }),
    RUN_FINISHED: () => ({
      path: "/agents/assistant/agui",
      json: {
        threadId: crypto.randomUUID(),
        runId: crypto.randomUUID(),
        ...{ messages: [{ id: "m1", role: "user", content: text }], tools: [], context: [] },
      },
    }),
    '"object":"chat.completion"': () => ({ path: "/v1/chat/completions", json: said }),
    '"status":"completed"': () => ({ path: "/v1/responses", json: { model: said.model, input: text } }),
    COMPLETED: () => ({
      path: "/mcp",
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool },
    }),
  };
  /** Of another protocol, to the end of its answer. */
  async function answered(end: string, way: () => { readonly path: string; readonly json: object }) {
    const { path, json } = way();
    const headers = { accept: "application/json, text/event-stream" };
    const from = performance.now();
    expect((await maria.post(path, { json, headers })).text, path).toContain(end);
    return { ms: performance.now() - from, path };
  }
  const measured = async () => [
    ...[await waited({}), await waited({ background: "true" })],
    ...(await Promise.all(Object.entries(ways).map((one) => answered(...one)))).map((one) => [one]),
  ];

  test("takes no longer than another, and its trace is here: the endpoint does not answer, or is away", async () => {
    await measured(); // its functions are warm then
    const usual = await measured();
    collector.state.answers = false;
    const unanswered = await measured();
    await collector.stop();
    const away = await measured();
    for (const [at, runs] of [...unanswered.entries(), ...away.entries()]) {
      const longest = Math.max(...(usual[at] ?? []).map(({ ms }) => ms));
      expect(Math.min(...runs.map(({ ms }) => ms)), JSON.stringify(runs)).toBeLessThan(1.5 * longest);
      for (const run_id of runs.flatMap((run) => ("run_id" in run ? run.run_id : [])))
        expect((await maria.get(`/traces/${traceIdOf(run_id)}`)).json).toMatchObject({
          status: "OK",
          run_id,
        });
    }
  });
});
