import { beforeAll, describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

const scopes = [
  "evals:read",
  "evals:write",
  "evals:delete",
  "agents:run",
  "teams:run",
  "sessions:read",
  "agents:read",
];

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});

const user = (sub: string, its: readonly string[] = scopes) =>
  clientOf(platform.url, platform.token(sub, its));
const create = (more: object, client: Client = maria) =>
  client.post("/eval-runs", { json: { agent_id: "assistant", input: "hello", ...more } });
const remove = (ids: string[], client: Client = maria, query = "") =>
  client.call("DELETE", `/eval-runs${query}`, { json: { eval_run_ids: ids } });
const rename = (id: string, name: string, client: Client = maria) =>
  client.call("PATCH", `/eval-runs/${id}`, { json: { name } });

/** Has the scripted judge say this, wherever it is shown what decides. */
const judged = (verdict: object) => `[[answer:${JSON.stringify(verdict)}]]`;
const score = (n: number) => judged({ score: n, reason: "so it is" });
const adds = (a: number, b: number) => `[[tool:add_numbers {"a":${a},"b":${b}}]]`;
const reliability = (input: string, expected: string[], more: object = {}) =>
  create({ eval_type: "reliability", input, expected_tool_calls: expected, ...more });
const statusOf = async (answer: Promise<Answer>) => (await answer).json.eval_data.eval_status;

describe("a request for an evaluation", () => {
  test("names either an agent or a team, and one that is there", async () => {
    const performance = { eval_type: "performance" };
    expect((await create({ ...performance, agent_id: undefined })).status).toBe(400);
    expect((await create({ ...performance, team_id: "support-team" })).status).toBe(400);
    expect((await create({ ...performance, agent_id: "unknown" })).status).toBe(404);
    expect((await create({ ...performance, agent_id: undefined, team_id: "unknown" })).status).toBe(404);
    expect((await create({ ...performance, agent_id: "publish-report" })).status).toBe(404);
  });

  test("of an unknown type, or with an empty input, is 422", async () => {
    expect((await create({ eval_type: "vibes" })).status).toBe(422);
    expect((await create({ eval_type: "performance", input: "" })).status).toBe(422);
    const { status, json } = await create({ eval_type: "performance", input: undefined });
    expect([status, json.detail[0].loc, json.detail[0].type]).toEqual([422, ["body", "input"], "missing"]);
  });

  test("without what its type needs is 400", async () => {
    expect((await create({ eval_type: "accuracy" })).status).toBe(400);
    expect((await create({ eval_type: "accuracy", expected_output: "" })).status).toBe(400);
    expect((await create({ eval_type: "agent_as_judge" })).status).toBe(400);
    expect((await create({ eval_type: "reliability" })).status).toBe(400);
  });

  test.each([
    { num_iterations: 0 },
    { num_iterations: 101 },
    { threshold: 11 },
    { warmup_runs: 11 },
    { scoring_strategy: "fuzzy" },
    { cases: [] },
    { cases: [{ input: "a" }] },
  ])("out of bounds is 422: %j", async (more) => {
    expect((await create({ eval_type: "performance", ...more })).status).toBe(422);
  });

  test("takes the scope to run the component in addition to its own", async () => {
    const body = { eval_type: "reliability", expected_tool_calls: [] };
    expect((await create(body, user("otto", ["evals:write"]))).status).toBe(403);
    expect((await create(body, user("otto", ["evals:write", "agents:refund-desk:run"]))).status).toBe(403);
    expect((await create(body, user("otto", ["evals:write", "agents:assistant:run"]))).status).toBe(200);
    expect((await create(body, user("otto", ["agents:run"]))).status).toBe(403);
  });

  test("with a model of a provider that is unknown is 400", async () => {
    const body = { eval_type: "performance", model_id: "m-1", model_provider: "Unknown" };
    expect((await create(body)).status).toBe(400);
  });

  test("with a model that is not registered is 400: callers do not decide on costs", async () => {
    const body = { eval_type: "reliability", expected_tool_calls: [] };
    const { status, json } = await create({ ...body, model_id: "gpt-5", model_provider: "OpenAI" });
    expect(status).toBe(400);
    expect(json.detail).toContain("model OpenAI:gpt-5 is not registered");
  });

  test("with a model runs on that; one of the two fields says nothing", async () => {
    const body = { eval_type: "reliability", expected_tool_calls: [] };
    const shown = { model_id: "scripted-1", model_provider: "Scripted" };
    expect((await create({ ...body, ...shown })).json).toMatchObject({ status: "completed", ...shown });
    expect((await create({ ...body, model_id: "gpt-5" })).json).toMatchObject(shown);
  });

  test("for another database is 404, for a table without one 400", async () => {
    const sent = { json: { agent_id: "assistant", input: "x", eval_type: "performance" } };
    expect((await maria.post("/eval-runs?db_id=other", sent)).status).toBe(404);
    expect((await maria.post("/eval-runs?table=eval_runs", sent)).status).toBe(400);
    expect((await maria.get("/eval-runs?db_id=main&table=eval_runs")).status).toBe(200);
  });
});

describe("reliability", () => {
  test("passes where what is expected was called, and fails where it was not", async () => {
    const { json } = await reliability(adds(2, 3), ["add_numbers"]);
    expect(json.eval_data).toEqual({
      eval_status: "PASSED",
      passed_tool_calls: ["add_numbers"],
      failed_tool_calls: [],
      additional_tool_calls: [],
      missing_tool_calls: [],
      passed_argument_checks: [],
      failed_argument_checks: [],
    });
    const { json: missed } = await reliability("hello", ["add_numbers"]);
    expect(missed.eval_data).toMatchObject({ eval_status: "FAILED", missing_tool_calls: ["add_numbers"] });
  });

  test("fails on a call that was not expected, unless such are allowed", async () => {
    const { json } = await reliability(adds(2, 3), []);
    expect(json.eval_data).toMatchObject({ eval_status: "FAILED", failed_tool_calls: ["add_numbers"] });
    const { json: allowed } = await reliability(adds(2, 3), [], { allow_additional_tool_calls: true });
    expect(allowed.eval_data).toMatchObject({
      eval_status: "PASSED",
      additional_tool_calls: ["add_numbers"],
    });
  });

  test("compares the arguments that are given, and no others", async () => {
    const expecting = (wanted: object) =>
      statusOf(
        reliability(adds(2, 3), ["add_numbers"], {
          expected_tool_call_arguments: { add_numbers: wanted },
        }),
      );
    expect(await expecting({ a: 2 })).toBe("PASSED");
    expect(await expecting({ a: 2, b: 4 })).toBe("FAILED");
    expect(await expecting([{ a: 2 }, { b: 3 }])).toBe("PASSED");
    expect(await expecting([{ a: 2 }, { b: 4 }])).toBe("FAILED");
  });

  test("passes where nothing was expected and nothing called", async () => {
    expect(await statusOf(reliability("hello", []))).toBe("PASSED");
  });

  test("of a team counts what its members call", async () => {
    const task = JSON.stringify({ member_id: "assistant", task: adds(1, 1) });
    const input = `[[tool:delegate_task_to_member ${task}]]`;
    const { json } = await create({
      eval_type: "reliability",
      agent_id: undefined,
      team_id: "support-team",
      input,
      expected_tool_calls: ["delegate_task_to_member", "add_numbers"],
    });
    expect(json).toMatchObject({
      team_id: "support-team",
      agent_id: null,
      evaluated_component_name: "Support team",
      eval_data: { eval_status: "PASSED" },
    });
  });
});

describe("accuracy", () => {
  test("has as many results as iterations, and their statistics", async () => {
    const { status, json } = await create({
      eval_type: "accuracy",
      expected_output: `hello ${score(8)}`,
      num_iterations: 3,
    });
    expect(status).toBe(200);
    expect(json.eval_data.results).toHaveLength(3);
    expect(json.eval_data.results[0]).toEqual({
      input: "hello",
      output: "You said: hello",
      expected_output: `hello ${score(8)}`,
      score: 8,
      reason: "so it is",
    });
    expect(json.eval_data).toMatchObject({
      avg_score: 8,
      mean_score: 8,
      min_score: 8,
      max_score: 8,
      std_dev_score: 0,
    });
    expect(json.eval_input).toEqual({
      input: "hello",
      expected_output: `hello ${score(8)}`,
      num_iterations: 3,
      additional_guidelines: null,
      additional_context: null,
    });
  });

  test("of which the judge fails, or answers badly, is 200 without results", async () => {
    for (const bad of ["[[fail:no judge today]]", judged({ score: 11, reason: "!" }), "no verdict"]) {
      const { status, json } = await create({ eval_type: "accuracy", expected_output: bad });
      expect(status).toBe(200);
      expect(json.eval_data).toEqual({
        results: [],
        avg_score: null,
        mean_score: null,
        min_score: null,
        max_score: null,
        std_dev_score: null,
      });
    }
  });

  test("of a run that failed judges its error", async () => {
    const { json } = await create({
      eval_type: "accuracy",
      input: "[[fail:out of order]]",
      expected_output: score(1),
    });
    expect(json.eval_data.results).toMatchObject([
      { output: expect.stringContaining("out of order"), score: 1 },
    ]);
  });

  test("skips what was answered with nothing", async () => {
    const { json } = await create({
      eval_type: "accuracy",
      input: "[[tokens:0]]",
      expected_output: score(9),
    });
    expect(json.eval_data.results.map(({ output }: { output: string }) => output)).not.toContain("");
  });
});

describe("agent_as_judge", () => {
  const asked = (more: object) => create({ eval_type: "agent_as_judge", ...more });

  test("with scores passes from the threshold on", async () => {
    const below = await asked({ criteria: score(6), scoring_strategy: "numeric" });
    expect(below.json.eval_data).toMatchObject({
      results: [{ score: 6, passed: false }],
      avg_score: 6,
      pass_rate: 0,
    });
    const at = await asked({ criteria: score(6), scoring_strategy: "numeric", threshold: 6 });
    expect(at.json.eval_data).toMatchObject({ results: [{ passed: true }], pass_rate: 100 });
    expect(at.json.eval_input).toMatchObject({ scoring_strategy: "numeric", threshold: 6 });
  });

  test("without scores only says whether it passes", async () => {
    const { json } = await asked({ criteria: judged({ passed: true, reason: "fine" }) });
    expect(json.eval_data).toEqual({
      run_id: json.id,
      results: [
        {
          input: "hello",
          output: "You said: hello",
          criteria: judged({ passed: true, reason: "fine" }),
          score: null,
          reason: "fine",
          passed: true,
        },
      ],
      avg_score: null,
      min_score: null,
      max_score: null,
      std_dev_score: null,
      pass_rate: 100,
    });
    expect(json).toMatchObject({ agent_id: "assistant", eval_input: { threshold: null } });
  });
});

describe("performance", () => {
  test("measures as many runs as iterations, after the warm-ups", async () => {
    const { json } = await create({ eval_type: "performance", num_iterations: 3, warmup_runs: 2 });
    expect(json.progress).toEqual({ done: 5, total: 5 });
    expect(json.eval_data.runs).toHaveLength(3);
    const names = ["avg", "min", "max", "std_dev", "median", "p50", "p90", "p95", "p99"];
    const expected = ["run_time", "memory_usage"].flatMap((of) => names.map((name) => `${name}_${of}`));
    expect(Object.keys(json.eval_data.result).sort()).toEqual(expected.sort());
    expect(json.eval_input).toEqual({ num_iterations: 3, warmup_runs: 2 });
  });

  test("shows times in seconds and memory in MiB", async () => {
    const { json } = await create({ eval_type: "performance", input: "[[sleep:300]] slow" });
    const { avg_run_time, p95_run_time, max_memory_usage } = json.eval_data.result;
    expect(avg_run_time).toBeGreaterThan(0.25);
    expect(avg_run_time).toBeLessThan(10);
    expect(p95_run_time).toBe(avg_run_time);
    expect(max_memory_usage).toBeLessThan(1000);
  });
});

describe("an evaluation on record", () => {
  test("is what the request was answered, with its input and times", async () => {
    const { json } = await reliability(adds(2, 3), ["add_numbers"], { name: "adds with the tool" });
    const { json: read } = await maria.get(`/eval-runs/${json.id}`);
    expect(read).toEqual(json);
    expect(read).toMatchObject({
      eval_type: "reliability",
      name: "adds with the tool",
      agent_id: "assistant",
      team_id: null,
      workflow_id: null,
      model_id: "scripted-1",
      model_provider: "Scripted",
      evaluated_component_name: "Assistant",
      eval_input: {
        expected_tool_calls: ["add_numbers"],
        allow_additional_tool_calls: false,
        expected_tool_call_arguments: null,
      },
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      user_id: "maria",
      status: "completed",
      error: null,
      metrics: { total_tokens: expect.any(Number) },
    });
  });

  test("ran the component for real: in a session of its own, under its user", async () => {
    const { json } = await create({ eval_type: "accuracy", expected_output: score(5), num_iterations: 2 });
    const { json: cases } = await maria.get(`/eval-runs/${json.id}/cases`);
    expect(cases.data).toHaveLength(1);
    expect(cases.data[0].runs.map(({ session_id }: { session_id: string }) => session_id)).toEqual([
      `eval_${json.id}_1`,
      `eval_${json.id}_2`,
    ]);
    const session = await maria.get(`/sessions/eval_${json.id}_1`);
    expect(session.json).toMatchObject({ agent_id: "assistant", total_tokens: expect.any(Number) });
    expect(session.json.total_tokens).toBeGreaterThan(0);
    // What the judge used comes on top of what the runs did.
    expect(json.metrics.total_tokens).toBeGreaterThan(2 * session.json.total_tokens);
  });

  test("is renamed, with 1 to 255 characters", async () => {
    const { json } = await reliability("hello", []);
    expect((await rename(json.id, "better")).json.name).toBe("better");
    expect((await maria.get(`/eval-runs/${json.id}`)).json.name).toBe("better");
    expect((await rename(json.id, "")).status).toBe(422);
    expect((await rename(json.id, "x".repeat(256))).status).toBe(422);
    expect((await rename("unknown", "better")).status).toBe(404);
  });

  test("is deleted with others, known or not, and is gone then", async () => {
    const { json } = await reliability("hello", []);
    expect((await remove([json.id], maria, "?db_id=other")).status).toBe(404);
    expect((await remove([])).status).toBe(422);
    expect((await remove([json.id, "unknown"])).status).toBe(204);
    expect((await maria.get(`/eval-runs/${json.id}`)).status).toBe(404);
    expect((await rename(json.id, "late")).status).toBe(404);
  });
});

describe("a list of evaluations", () => {
  let sven: Client;
  const ids: string[] = [];
  beforeAll(async () => {
    sven = user("sven");
    const body = { eval_type: "reliability", expected_tool_calls: [] };
    ids.push((await create({ ...body, name: "b" }, sven)).json.id);
    ids.push((await create({ eval_type: "accuracy", expected_output: score(5), name: "a" }, sven)).json.id);
    const ofTeam = { ...body, agent_id: undefined, team_id: "support-team", name: "c" };
    ids.push((await create(ofTeam, sven)).json.id);
  });
  const list = (query: string, client = sven) => client.get(`/eval-runs?${query}`);
  const listed = async (query: string) =>
    (await list(query)).json.data.map(({ id }: { id: string }) => ids.indexOf(id));

  test("is filtered by component, model, kind and types", async () => {
    expect(await listed("agent_id=assistant")).toHaveLength(2);
    expect(await listed("team_id=support-team")).toEqual([2]);
    expect(await listed("workflow_id=publish-report")).toEqual([]);
    expect(await listed("model_id=scripted-1")).toHaveLength(3);
    expect(await listed("model_id=other")).toEqual([]);
    expect(await listed("type=team")).toEqual([2]);
    expect(await listed("type=workflow")).toEqual([]);
    expect(await listed("eval_types=accuracy")).toEqual([1]);
    expect(await listed("eval_types=accuracy,reliability")).toHaveLength(3);
    expect((await list("eval_types=accuracy,vibes")).status).toBe(422);
    expect((await list("type=component")).status).toBe(422);
  });

  test("is sorted, and cut into pages with exact totals", async () => {
    expect(await listed("sort_by=name&sort_order=asc")).toEqual([1, 0, 2]);
    expect(await listed("sort_by=nonsense")).toHaveLength(3);
    const { json } = await list("limit=2&page=2");
    expect(json.data).toHaveLength(1);
    expect(json.meta).toMatchObject({ page: 2, limit: 2, total_pages: 2, total_count: 3 });
    expect((await list("page=0")).json.meta.page).toBe(0);
    expect((await list("limit=0")).status).toBe(422);
  });
});

describe("another user's evaluation", () => {
  test("is seen, renamed and deleted by its owner and by admins alone", async () => {
    const { json } = await reliability("hello", []);
    const other = user("otto");
    expect((await other.get(`/eval-runs/${json.id}`)).status).toBe(404);
    expect((await other.get(`/eval-runs/${json.id}/cases`)).status).toBe(404);
    expect((await rename(json.id, "mine now", other)).status).toBe(404);
    expect((await remove([json.id], other)).status).toBe(204);
    const { json: list } = await other.get("/eval-runs?limit=100");
    expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(json.id);
    expect((await admin.get(`/eval-runs/${json.id}`)).json.name).toBeNull();
    const { json: all } = await admin.get("/eval-runs?limit=100");
    expect(all.data.map(({ id }: { id: string }) => id)).toContain(json.id);
  });
});

describe("several cases", () => {
  test("are one evaluation, shown together and one by one", async () => {
    const { json } = await create({
      input: undefined,
      eval_type: "agent_as_judge",
      scoring_strategy: "numeric",
      criteria: score(4),
      cases: [
        { name: "first", input: "one" },
        { name: "second", input: "two", criteria: score(8) },
        { input: "three", criteria: score(9) },
      ],
    });
    expect(json).toMatchObject({ status: "completed", cases: 3, progress: { done: 3, total: 3 } });
    expect(json.eval_data).toMatchObject({ results: [], avg_score: 7, min_score: 4, max_score: 9 });
    expect(json.eval_data.pass_rate).toBeCloseTo(66.67, 1);
    const { json: page } = await maria.get(`/eval-runs/${json.id}/cases?limit=2&page=1`);
    expect(page.meta).toMatchObject({ total_count: 3, total_pages: 2 });
    expect(page.data[1]).toMatchObject({
      number: 2,
      name: "second",
      input: "two",
      eval_data: { results: [{ output: "You said: two", score: 8, passed: true }] },
      runs: [{ session_id: `eval_${json.id}_2`, status: "COMPLETED" }],
    });
  });
});

describe("an evaluation in the background", () => {
  test("is on record at once, and ends by itself", async () => {
    const { status, json } = await create({
      eval_type: "performance",
      input: "[[sleep:100]] x",
      num_iterations: 3,
      background: true,
    });
    expect(status).toBe(202);
    expect(json).toMatchObject({ status: "running", progress: { done: 0, total: 3 } });
    expect((await maria.get(`/eval-runs/${json.id}`)).status).toBe(200);
    await expect.poll(async () => (await maria.get(`/eval-runs/${json.id}`)).json.status).toBe("completed");
  });
});

test("what evaluations are kept in is shown by the configuration", async () => {
  const { json } = await admin.get("/config");
  expect(json.evals.dbs[0]).toMatchObject({ db_id: "main", tables: ["eval_runs"] });
});

describe("an evaluation whose results say nothing is failed, and says why", () => {
  const failing = "[[fail:the model is down]]";

  test.each([
    ["performance", { eval_type: "performance", num_iterations: 2 }],
    ["accuracy", { eval_type: "accuracy", expected_output: "hello" }],
    ["reliability", { eval_type: "reliability", expected_tool_calls: ["add_numbers"] }],
    ["reliability that expects nothing", { eval_type: "reliability", expected_tool_calls: [] }],
  ])("%s of a component whose model is down", async (_what, more) => {
    const { status, json } = await create({ input: failing, ...more });
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "failed", error: expect.stringContaining("the model is down") });
    if (more.eval_type === "reliability") expect(json.eval_data.eval_status).toBe("FAILED");
  });

  test("where the judge fails", async () => {
    const { json } = await create({
      eval_type: "accuracy",
      expected_output: "hello",
      additional_guidelines: "[[fail:no judge today]]",
    });
    expect(json).toMatchObject({ status: "failed", error: expect.stringContaining("have no verdict") });
    expect(json.eval_data.results).toEqual([]);
  });
});
