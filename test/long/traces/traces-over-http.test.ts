import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TraceNode } from "../../../shared/schemas/traces/trace.ts";
import { traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import { type Answer, type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Everything that metrics-evals-traces section E says of traces, on the wire. */
const scopes = [
  "agents:read",
  "agents:run",
  "workflows:read",
  "workflows:run",
  "traces:read",
  "sessions:read",
];
const ADD = '[[tool:add_numbers {"a":2,"b":3}]]';
const BAD = '[[tool:add_numbers {"a":"two"}]]';

let platform: TestPlatform;
let admin: Client;
let mira: Client;
let good: Answer;
let bad: Answer;
beforeAll(async () => {
  platform = await startPlatform({ env: { TRACING: "on" } });
  admin = clientOf(platform.url, platform.adminToken);
  mira = as("mira");
  good = await mira.run(`2+3? ${ADD}`, { session_id: "sums" });
  bad = await mira.run(`100% sure ${BAD}`, { session_id: "sums" });
});
afterAll(() => platform?.stop());

const as = (sub: string, held = scopes): Client => clientOf(platform.url, platform.token(sub, held));
const traceOf = ({ json }: Answer): string => traceIdOf(json.run_id);
const search = (client: Client, json: object) => client.post("/traces/search", { json });
const idsIn = ({ json }: Answer): string[] => json.data.map(({ trace_id }: { trace_id: string }) => trace_id);
const childrenOf = ({ spans = [] }: TraceNode): TraceNode[] => spans;
const hasNull = (value: unknown): boolean => JSON.stringify(value).includes(":null");

describe("a traced run", () => {
  test("is one trace with model and tool calls below its root, and token totals on it", async () => {
    const { status, json } = await mira.get(`/traces/${traceOf(good)}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      trace_id: traceOf(good),
      name: "Assistant.run",
      status: "OK",
      error_count: 0,
      total_spans: 4,
      run_id: good.json.run_id,
      session_id: "sums",
      user_id: "mira",
      agent_id: "assistant",
      input: `2+3? ${ADD}`,
    });
    expect(json.output).toContain("5");
    expect(hasNull(json)).toBe(false);
    const [root] = json.tree;
    expect(json.tree).toHaveLength(1);
    expect(root).toMatchObject({ type: "AGENT", duration: json.duration, start_time: json.start_time });
    expect(root).not.toHaveProperty("input");
    expect(root.metadata).toMatchObject({
      run_id: good.json.run_id,
      total_input_tokens: good.json.metrics.input_tokens,
      total_output_tokens: good.json.metrics.output_tokens,
    });
    expect(childrenOf(root).map(({ type }) => type)).toEqual(["LLM", "TOOL", "LLM"]);
    const [model, tool] = childrenOf(root);
    expect(model?.metadata).toEqual({
      model: expect.any(String),
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
    });
    expect(model).not.toHaveProperty("spans");
    expect(tool).toMatchObject({
      name: "add_numbers",
      status: "OK",
      output: "5",
      metadata: { tool_name: "add_numbers", parameters: '{"a":2,"b":3}' },
    });
  });

  test("whose tool fails has an error, once and for the whole", async () => {
    const { json } = await mira.get(`/traces/${traceOf(bad)}`);
    expect(json).toMatchObject({ status: "ERROR", error_count: 1, error: expect.any(String) });
    expect(json).not.toHaveProperty("output");
    const failed = childrenOf(json.tree[0]).find(({ type }) => type === "TOOL");
    expect(failed).toMatchObject({ status: "ERROR", error: expect.any(String) });
    expect(failed).not.toHaveProperty("output");
  });

  test("of a workflow shows its steps, and shows the last one's answer while it has none itself", async () => {
    const form = { message: "The lighthouse", stream: "false", session_id: "reports" };
    const paused = await mira.post("/workflows/publish-report/runs", { form });
    const before = await mira.get(`/traces/${traceOf(paused)}`);
    expect(before.json).toMatchObject({ status: "OK", output: expect.stringContaining("lighthouse") });
    const answered = JSON.stringify([{ step_id: "publish", confirmed: true }]);
    await mira.post(`/workflows/publish-report/runs/${paused.json.run_id}/continue`, {
      form: { session_id: "reports", stream: "false", step_requirements: answered },
    });
    const { json } = await mira.get(`/traces/${traceOf(paused)}`);
    expect(json).toMatchObject({
      workflow_id: "publish-report",
      output: expect.stringContaining("Published"),
    });
    const [root] = json.tree;
    expect(root).toMatchObject({ type: "WORKFLOW", status: "OK" });
    expect(root.metadata).toMatchObject({
      description: expect.any(String),
      steps_count: 4,
      steps: ["research", "drafts", "too long?", "publish"],
      step_types: ["Step", "Parallel", "Condition", "Step"],
    });
    const steps = childrenOf(root).map(({ step_type, status }) => [step_type, status]);
    expect(steps).toEqual([
      ["Step", "OK"],
      ["Parallel", "OK"],
      ["Condition", "OK"],
      ["Step", "OK"],
    ]);
    expect(childrenOf(root)[0]?.spans?.[0]).toMatchObject({ type: "AGENT", name: "Assistant.run" });
    expect(childrenOf(root)[0]?.spans?.[0]?.metadata).toMatchObject({
      session_id: "reports",
      user_id: "mira",
    });
    expect(idsIn(await mira.get("/traces?workflow_id=publish-report"))).toEqual([traceOf(paused)]);
  });

  test("in the background is written before its message is done with", async () => {
    const run = await mira.submit(`later ${ADD}`, { session_id: "later" });
    await mira.settled(run);
    await expect
      .poll(async () => (await mira.get(`/traces/${traceIdOf(run.run_id)}`)).json.total_spans)
      .toBe(4);
  });
});

describe("the list", () => {
  test("takes a credential with traces:read", async () => {
    expect((await clientOf(platform.url).get("/traces")).status).toBe(401);
    expect((await as("mira", ["agents:read"]).get("/traces")).status).toBe(403);
    expect((await as("mira", ["traces:write"]).call("POST", "/traces/search", { json: {} })).status).toBe(
      403,
    );
  });

  test("shows the newest start first, without null members", async () => {
    const { json } = await mira.get("/traces?session_id=sums");
    expect(json.meta).toMatchObject({
      page: 1,
      limit: 20,
      total_count: 2,
      search_time_ms: expect.any(Number),
    });
    expect(json.data.map(({ trace_id }: { trace_id: string }) => trace_id)).toEqual([
      traceOf(bad),
      traceOf(good),
    ]);
    expect(hasNull(json)).toBe(false);
    expect(json.data[1]).toEqual({
      trace_id: traceOf(good),
      name: "Assistant.run",
      status: "OK",
      duration: expect.stringMatching(/^(\d+ms|\d+\.\d\ds)$/),
      start_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
      end_time: expect.any(String),
      created_at: expect.any(String),
      total_spans: 4,
      error_count: 0,
      input: `2+3? ${ADD}`,
      run_id: good.json.run_id,
      session_id: "sums",
      user_id: "mira",
      agent_id: "assistant",
    });
  });

  test("pages, with true counts on pages that are too far", async () => {
    const second = await mira.get("/traces?session_id=sums&limit=1&page=2");
    expect(idsIn(second)).toEqual([traceOf(good)]);
    const far = await mira.get("/traces?session_id=sums&limit=1&page=9");
    expect(far.json).toMatchObject({ data: [], meta: { total_count: 2, total_pages: 2, page: 9 } });
    expect((await mira.get("/traces?session_id=sums&page=0")).json.meta.page).toBe(0);
    expect((await mira.get("/traces?limit=0")).status).toBe(422);
  });

  test.each([
    ["run_id", (): string => good.json.run_id, (): string[] => [traceOf(good)]],
    ["session_id", (): string => "sums", (): string[] => [traceOf(bad), traceOf(good)]],
    ["user_id", (): string => "mira", undefined],
    ["agent_id", (): string => "assistant", undefined],
    ["team_id", (): string => "unknown", (): string[] => []],
    ["workflow_id", (): string => "unknown", (): string[] => []],
    ["status", (): string => "ERROR", (): string[] => [traceOf(bad)]],
    ["status", (): string => "error", (): string[] => []],
  ] as const)("filters by %s (case %#)", async (name, value, expected) => {
    for (const client of [mira, admin]) {
      const found = idsIn(await client.get(`/traces?${name}=${value()}`));
      if (expected) expect(found).toEqual(expected());
      else expect(found).toEqual(expect.arrayContaining([traceOf(bad), traceOf(good)]));
    }
  });

  test("compares starts with start_time and ends with end_time", async () => {
    const detail: { start_time: string; end_time: string } = (await mira.get(`/traces/${traceOf(good)}`))
      .json;
    const { start_time, end_time } = detail;
    const within = (query: string): Promise<Answer> => mira.get(`/traces?session_id=sums&${query}`);
    const after = new Date(Date.parse(start_time) + 1).toISOString();
    const before = new Date(Date.parse(end_time) - 1).toISOString();
    expect(idsIn(await within(`start_time=${start_time}&end_time=${end_time}`))).toEqual([traceOf(good)]);
    expect(idsIn(await within(`start_time=${after}&end_time=${end_time}`))).toEqual([]);
    expect(idsIn(await within(`start_time=${start_time}&end_time=${before}`))).toEqual([]);
    expect(idsIn(await within(`end_time=${end_time.replace("Z", "")}`))).toEqual([traceOf(good)]);
  });

  test("refuses times that are none, and databases that are not there", async () => {
    expect((await mira.get("/traces?start_time=yesterday")).status).toBe(400);
    expect((await mira.get("/trace_session_stats?end_time=2026-13-01")).status).toBe(400);
    expect((await mira.get("/traces?db_id=other")).status).toBe(404);
    expect((await mira.get("/traces?db_id=main")).status).toBe(200);
  });
});

describe("one trace", () => {
  test("is 404 where it is unknown, whatever run is named", async () => {
    expect((await mira.get("/traces/unknown")).status).toBe(404);
    expect((await mira.get(`/traces/unknown?run_id=${good.json.run_id}`)).status).toBe(404);
  });

  test("shows one of its spans alone, and no other trace's", async () => {
    const { json } = await mira.get(`/traces/${traceOf(good)}`);
    const [root] = json.tree;
    const alone = await mira.get(`/traces/${traceOf(good)}?span_id=${root.id}`);
    expect(alone.json).toMatchObject({ id: root.id, type: "AGENT" });
    expect(alone.json).not.toHaveProperty("spans");
    expect((await mira.get(`/traces/${traceOf(bad)}?span_id=${root.id}`)).status).toBe(404);
    expect((await mira.get(`/traces/${traceOf(good)}?span_id=0000`)).status).toBe(404);
  });

  test("is no name of the filter schema, which lists thirteen keys", async () => {
    const { json } = await mira.get("/traces/filter-schema");
    expect(json.logical_operators).toEqual(["AND", "OR"]);
    expect(json.fields.map(({ key }: { key: string }) => key).sort()).toEqual(
      [
        "agent_id",
        "created_at",
        "duration_ms",
        "end_time",
        "name",
        "run_id",
        "session_id",
        "start_time",
      ].concat(["status", "team_id", "trace_id", "user_id", "workflow_id"]),
    );
    const field = (name: string) => json.fields.find(({ key }: { key: string }) => key === name);
    expect(field("status")).toMatchObject({
      type: "enum",
      operators: ["EQ", "NEQ", "IN"],
      values: ["OK", "ERROR"],
    });
    expect(field("duration_ms")).toMatchObject({ type: "number", values: null });
    expect(field("created_at").operators).toEqual(["GT", "GTE", "LT", "LTE"]);
  });
});

describe("the search", () => {
  const inSums = (condition: object) => ({
    op: "AND",
    conditions: [{ op: "EQ", key: "session_id", value: "sums" }, condition],
  });

  test("answers with whole trees, or with sessions", async () => {
    const { json } = await search(mira, { filter: inSums({ op: "EQ", key: "status", value: "OK" }) });
    expect(json.meta).toMatchObject({ total_count: 1, limit: 20 });
    expect(json.data[0]).toMatchObject({ trace_id: traceOf(good), tree: [{ type: "AGENT" }] });
    const grouped = await search(mira, {
      filter: inSums({ op: "EQ", key: "status", value: "OK" }),
      group_by: "session",
    });
    expect(grouped.json.data).toEqual([
      {
        session_id: "sums",
        user_id: "mira",
        agent_id: "assistant",
        total_traces: 1,
        first_trace_at: expect.any(String),
        last_trace_at: expect.any(String),
      },
    ]);
  });

  test("without a filter, or with an empty one, finds all", async () => {
    const all = (await mira.get("/traces")).json.meta.total_count;
    expect((await search(mira, {})).json.meta.total_count).toBe(all);
    expect((await search(mira, { filter: {} })).json.meta.total_count).toBe(all);
    expect((await search(mira, { filter: null })).json.meta.total_count).toBe(all);
  });

  test.each([
    { filter: { op: "eq", key: "name", value: "x" } },
    { filter: { op: "EQ", key: "name" } },
    { filter: { op: "EQ", key: "colour", value: "x" } },
    { filter: { op: "AND", conditions: [] } },
  ])("refuses %j", async (body) => {
    const answer = await search(mira, body);
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toEqual(expect.any(String));
  });

  test.each([{ limit: 101 }, { page: 0 }, { group_by: "user" }, { limit: 0 }])(
    "refuses %j as a fault of form",
    async (body) => {
      expect((await search(mira, body)).status).toBe(422);
    },
  );

  test("takes ten levels for a caller who is limited to its own, too", async () => {
    const nested = (levels: number): object =>
      levels === 0 ? { op: "EQ", key: "status", value: "OK" } : { op: "NOT", condition: nested(levels - 1) };
    expect((await search(mira, { filter: nested(10) })).status).toBe(200);
    expect((await search(mira, { filter: nested(11) })).status).toBe(400);
  });
});

describe("session stats", () => {
  test("count traces by session, the latest first", async () => {
    const { json } = await mira.get("/trace_session_stats");
    const sums = json.data.find(({ session_id }: { session_id: string }) => session_id === "sums");
    const [last, first] = (await mira.get("/traces?session_id=sums")).json.data;
    expect(sums).toMatchObject({
      total_traces: 2,
      first_trace_at: first.created_at,
      last_trace_at: last.created_at,
    });
    const times = json.data.map(({ last_trace_at }: { last_trace_at: string }) => last_trace_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(json.meta.total_count).toBe(json.data.length);
    expect((await mira.get("/trace_session_stats?page=0")).status).toBe(422);
    expect((await mira.get("/trace_session_stats?team_id=none")).json.data).toEqual([]);
  });
});

describe("whoever is no admin", () => {
  test("sees its own alone, whatever it asks for", async () => {
    const eve = as("eve");
    const own = await eve.run("mine");
    const others = {
      op: "OR",
      conditions: [
        { op: "EQ", key: "user_id", value: "mira" },
        { op: "NEQ", key: "user_id", value: "eve" },
      ],
    };
    expect(idsIn(await eve.get("/traces?user_id=mira"))).toEqual([traceOf(own)]);
    expect(idsIn(await eve.get("/traces?session_id=sums"))).toEqual([]);
    expect(idsIn(await eve.get(`/traces?run_id=${good.json.run_id}`))).toEqual([]);
    expect((await search(eve, { filter: others })).json.data).toEqual([]);
    const stats = (await eve.get("/trace_session_stats?user_id=mira")).json.data;
    expect(stats).toEqual([expect.objectContaining({ session_id: own.json.session_id, total_traces: 1 })]);
    expect((await eve.get(`/traces/${traceOf(good)}`)).status).toBe(404);
    expect((await admin.get(`/traces/${traceOf(own)}`)).status).toBe(200);
  });

  test("does not see unowned traces either", async () => {
    const ownerless = await clientOf(platform.url, platform.adminToken).run("of the admin");
    expect((await mira.get(`/traces/${traceOf(ownerless)}`)).status).toBe(404);
  });
});

test("a session that is removed takes its traces with it, from lists and from their counts", async () => {
  const zoe = as("zoe", [...scopes, "sessions:delete"]);
  const gone = await zoe.run("soon gone", { session_id: "gone" });
  const kept = await zoe.run("kept", { session_id: "kept" });
  expect((await zoe.get("/traces")).json.meta.total_count).toBe(2);
  expect((await zoe.call("DELETE", "/sessions/gone")).status).toBe(204);
  await expect.poll(async () => (await zoe.get(`/traces/${traceOf(gone)}`)).status).toBe(404);
  const { json } = await zoe.get("/traces");
  expect(json).toMatchObject({ data: [{ trace_id: traceOf(kept) }], meta: { total_count: 1 } });
});

test("the configuration offers traces, without a table", async () => {
  const { traces } = (await admin.get("/config")).json;
  expect(traces).toEqual({ dbs: [{ db_id: "main", domain_config: { display_name: "main" } }] });
});
