import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** Prices, so that runs have a cost: a dollar for a thousand tokens. */
const PRICES = JSON.stringify({ scripted: { input_per_million: 1000, output_per_million: 1000 } });

type Spent = {
  readonly metrics?: { readonly total_tokens?: number };
  readonly member_responses?: readonly Spent[];
};

let platform: TestPlatform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({ context: { modelPrices: PRICES } });
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform.stop());

const scopes = ["agents:read", "agents:run", "teams:run", "workflows:run", "metrics:read", "metrics:write"];
const userWith = (sub: string, held: readonly string[] = scopes) =>
  clientOf(platform.url, platform.token(sub, held));
const today = () => new Date().toISOString().slice(0, 10);
const refresh = async (client: Client) => (await client.post("/metrics/refresh")).json;

test("without figures there is an empty list, and a refresh computes nothing", async () => {
  const userWithoutScopes = userWith("unprivileged");
  expect((await userWithoutScopes.get("/metrics/refresh/status")).json).toEqual({
    status: "idle",
    started_at: null,
    finished_at: null,
    error: null,
  });
  expect((await userWithoutScopes.get("/metrics")).json).toEqual({ metrics: [], updated_at: null });
  // Of another user: the first one's figures may still be computed, as whoever reads them has them computed.
  const refreshed = await userWith("unprivileged-too").post("/metrics/refresh");
  expect([refreshed.status, refreshed.json]).toEqual([200, []]);
});

describe("who may see them", () => {
  test("needs a credential", async () => {
    const stranger = clientOf(platform.url);
    expect((await stranger.get("/metrics")).status).toBe(401);
    expect((await stranger.post("/metrics/refresh")).status).toBe(401);
  });

  test("needs metrics:read to read and metrics:write to refresh", async () => {
    const writer = userWith("otto", ["metrics:write"]);
    const reader = userWith("otto", ["metrics:read"]);
    expect((await writer.get("/metrics")).status).toBe(403);
    expect((await writer.get("/metrics/refresh/status")).status).toBe(403);
    expect((await reader.post("/metrics/refresh")).status).toBe(403);
    expect((await reader.get("/metrics")).status).toBe(200);
  });
});

describe("a day", () => {
  test("shows sessions, runs, users, tokens and cost by model", async () => {
    const mira = userWith("mira");
    const first = (await mira.run("one two three")).json;
    const second = (await mira.run("four", { session_id: first.session_id })).json;
    const [day, ...more] = await refresh(mira);
    expect(more).toEqual([]);
    const sum = (name: string) => first.metrics[name] + second.metrics[name];
    expect(day).toMatchObject({
      id: `${today()}_mira_daily`,
      date: `${today()}T00:00:00Z`,
      agent_sessions_count: 1,
      agent_runs_count: 2,
      team_sessions_count: 0,
      team_runs_count: 0,
      workflow_sessions_count: 0,
      workflow_runs_count: 0,
      users_count: 1,
      token_metrics: {
        input_tokens: sum("input_tokens"),
        output_tokens: sum("output_tokens"),
        total_tokens: sum("total_tokens"),
        audio_total_tokens: 0,
        audio_input_tokens: 0,
        audio_output_tokens: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        reasoning_tokens: 0,
      },
    });
    expect(Object.keys(day.token_metrics)).toHaveLength(9);
    expect(day.model_metrics).toEqual([
      {
        model_id: first.model,
        model_provider: first.model_provider,
        count: 2,
        input_tokens: sum("input_tokens"),
        output_tokens: sum("output_tokens"),
        total_tokens: sum("total_tokens"),
        cost: expect.closeTo(sum("total_tokens") / 1000, 9),
      },
    ]);
    expect(day.cost).toBe(day.model_metrics[0].cost);
  });

  describe.each(["foreground", "background"])(
    "counts the tokens of a run in the %s that pauses once,",
    (mode) => {
      const background = String(mode === "background");
      /** @returns the run, and what its user has spent as the day shows it: in all, and by model */
      const pausedRunOf = async (name: string) => {
        const user = userWith(name);
        const form = {
          message: 'one two three [[tool:issue_refund {"order_id":"o-1","amount":5}]] thanks',
          stream: "false",
          background,
        };
        const accepted = (await user.post("/agents/refund-desk/runs", { form })).json;
        const path = `/agents/refund-desk/runs/${accepted.run_id}`;
        const read = async () => (await user.get(`${path}?session_id=${accepted.session_id}`)).json;
        await expect.poll(read).toMatchObject({ status: "PAUSED" });
        const spent = async () => {
          const [{ token_metrics, model_metrics }] = await refresh(user);
          return { all: token_metrics.total_tokens, byModel: model_metrics[0].total_tokens };
        };
        return { user, path, accepted, read, spent };
      };

      test("while it waits and when it is cancelled", async () => {
        const { user, path, accepted, read, spent } = await pausedRunOf(`ben in the ${mode}`);
        const atPause = await spent();
        expect(atPause.byModel).toBeGreaterThan(0);
        expect(atPause.all).toBe(atPause.byModel);
        await user.post(`${path}/cancel?session_id=${accepted.session_id}`);
        expect(await read()).toMatchObject({ status: "CANCELLED" });
        expect(await spent()).toEqual(atPause);
      });

      test("and the rest when it goes on", async () => {
        const { user, path, accepted, read, spent } = await pausedRunOf(`ida in the ${mode}`);
        const atPause = await spent();
        const tools = (await read()).tools.map((tool: object) => ({ ...tool, confirmed: true }));
        const form = {
          session_id: accepted.session_id,
          tools: JSON.stringify(tools),
          stream: "false",
          background,
        };
        await user.post(`${path}/continue`, { form });
        await expect.poll(read).toMatchObject({ status: "COMPLETED" });
        const atEnd = await spent();
        expect(atEnd.byModel).toBeGreaterThan(atPause.byModel);
        expect(atEnd.all).toBe(atEnd.byModel);
      });
    },
  );

  test("comes to the same by model, by component, by user and by run, whatever became of the runs", async () => {
    const user = userWith("mixed", [...scopes, "teams:read", "workflows:read", "evals:write"]);
    const held: { run_id: string; session_id: string; kind: string; id: string }[] = [];
    const start = async (kind: string, id: string, message: string, more: Record<string, string> = {}) => {
      const form = { message, stream: "false", ...more };
      const { json } = await user.post(`/${kind}s/${id}/runs`, { form });
      held.push({ kind, id, run_id: json.run_id, session_id: json.session_id });
      const at = `/${kind}s/${id}/runs/${json.run_id}`;
      const read = async () => (await user.get(`${at}?session_id=${json.session_id}`)).json;
      const ends = (status: string) => expect.poll(read).toMatchObject({ status });
      return { ...json, at, read, ends };
    };
    const refund = 'one two [[tool:issue_refund {"order_id":"o-1","amount":5}]] thanks';
    await start("agent", "assistant", "completed here");
    const background = { background: "true" };
    await (await start("agent", "assistant", "completed there", background)).ends("COMPLETED");
    await start("agent", "assistant", '[[tool:add_numbers {"a":1,"b":2}]] [[fail:after a call]]');
    const failed = await start("agent", "assistant", "[[tool:get_time {}]] [[fail:there]]", background);
    await failed.ends("ERROR");
    const requeued = await admin.post(`/queue/jobs/${failed.run_id}/requeue?force=true`);
    expect(requeued.status).toBe(200);
    await failed.ends("ERROR");
    const continued = await start("agent", "refund-desk", refund);
    const tools = continued.tools.map((tool: object) => ({ ...tool, confirmed: true }));
    const answer = { session_id: continued.session_id, tools: JSON.stringify(tools), stream: "false" };
    await user.post(`${continued.at}/continue`, { form: answer });
    await continued.ends("COMPLETED");
    const cancelled = await start("agent", "refund-desk", refund);
    await user.post(`${cancelled.at}/cancel?session_id=${cancelled.session_id}`);
    await cancelled.ends("CANCELLED");
    await start("agent", "refund-desk", refund);
    const task = JSON.stringify({ member_id: "assistant", task: "add them up" });
    await start("team", "support-team", `[[tool:delegate_task_to_member ${task}]]`);
    await start("workflow", "publish-report", "a report");
    const refunds = await createComponent(admin, {
      component_type: "workflow",
      component_id: "refunds",
      config: { steps: [{ name: "refund", agent_id: "refund-desk" }] },
      stage: "published",
    });
    const stopped = await start("workflow", refunds, refund);
    const inPause = (await refresh(user))[0].token_metrics.total_tokens;
    await user.post(`${stopped.at}/cancel?session_id=${stopped.session_id}`);
    await stopped.ends("CANCELLED");
    expect((await refresh(user))[0].token_metrics.total_tokens).toBe(inPause);
    const evaluated = (
      await user.post("/eval-runs", {
        json: {
          eval_type: "accuracy",
          agent_id: "assistant",
          input: "judge me",
          expected_output: '[[answer:{"score": 8, "reason": "close"}]]',
        },
      })
    ).json;
    expect(evaluated.status).toBe("completed");

    const [day] = await refresh(user);
    const sum = (rows: readonly Record<string, number>[], name: string) =>
      rows.reduce((total, row) => total + (row[name] ?? 0), 0);
    const runs = await Promise.all(
      held.map(async ({ kind, id, run_id, session_id }) => {
        const { json } = await user.get(`/${kind}s/${id}/runs/${run_id}?session_id=${session_id}`);
        return json;
      }),
    );
    const spentBy = ({ metrics = {}, member_responses = [] }: Spent): number =>
      (metrics.total_tokens ?? 0) + member_responses.reduce((total, one) => total + spentBy(one), 0);
    const byRuns = runs.reduce((total, run) => total + spentBy(run), 0) + evaluated.metrics.total_tokens;
    const all = day.token_metrics.total_tokens;
    const { evaluation_metrics: judged } = day;
    expect(byRuns).toBe(all);
    expect(sum(day.model_metrics, "total_tokens")).toBe(all);
    expect(sum(day.component_metrics, "total_tokens") + judged.total_tokens).toBe(all);
    expect(sum(day.user_metrics, "total_tokens") + judged.total_tokens).toBe(all);
    expect(judged).toMatchObject({ evaluations: 1, judge_calls: 1, online: 0 });
    expect(judged.total_tokens).toBeGreaterThan(0);
    expect(day.cost).toBeCloseTo(all / 1000, 6);
    expect(sum(day.component_metrics, "cost") + judged.cost).toBeCloseTo(day.cost, 6);
    expect(day.user_metrics).toMatchObject([{ user_id: "mixed" }]);
    const ids = day.component_metrics.map((one: Record<string, string>) => one.component_id);
    expect(ids).toEqual(expect.arrayContaining(["assistant", "refund-desk", "support-team"]));
  });

  test("keeps its id and when it was computed first, however often it is computed", async () => {
    const lena = userWith("lena");
    await lena.run("hello");
    const [before] = await refresh(lena);
    const [same] = await refresh(lena);
    const { updated_at, ...kept } = before;
    expect(same).toMatchObject(kept);
    expect(same.updated_at >= updated_at).toBe(true);
    expect((await lena.get("/metrics")).json).toEqual({ metrics: [same], updated_at: same.updated_at });
  });

  test("counts runs of members and steps as runs of their session's kind", async () => {
    const tom = userWith("tom");
    const form = { message: "hello", stream: "false" };
    const team = (await tom.post("/teams/support-team/runs", { form })).json;
    await tom.post("/workflows/publish-report/runs", { form });
    const [day] = await refresh(tom);
    expect(day).toMatchObject({ team_sessions_count: 1, workflow_sessions_count: 1, agent_runs_count: 0 });
    expect(day.team_runs_count).toBe(1 + team.member_responses.length);
  });

  test("is brought up to date for whoever reads it the first time", async () => {
    const anna = userWith("anna");
    await anna.run("hello");
    const { json } = await anna.get("/metrics");
    expect(json.metrics).toMatchObject([{ agent_runs_count: 1 }]);
  });
});

test("bounds are days, and both count", async () => {
  const eve = userWith("eve");
  await eve.run("hello");
  const [{ date }] = await refresh(eve);
  const day = date.slice(0, 10);
  const shown = async (query: string) => (await eve.get(`/metrics?${query}`)).json.metrics.length;
  expect(await shown(`starting_date=${day}&ending_date=${day}`)).toBe(1);
  expect(await shown(`starting_date=${day}T00:00:00Z`)).toBe(1);
  expect(await shown("ending_date=2020-02-29")).toBe(0);
  expect(await shown("starting_date=9999-12-31")).toBe(0);
  expect(await shown("starting_date=2030-01-02&ending_date=2030-01-01")).toBe(0);
  for (const text of ["x", "2026-02-30", "20260301", "2026-03-01T12:00:00Z", ""]) {
    expect([text, (await eve.get(`/metrics?starting_date=${text}`)).status]).toEqual([text, 422]);
  }
});

test("another database is not found, and a table needs its database", async () => {
  for (const [method, path] of [
    ["GET", "/metrics"],
    ["POST", "/metrics/refresh"],
    ["GET", "/metrics/refresh/status"],
  ] as const) {
    expect((await admin.call(method, `${path}?db_id=elsewhere`)).status).toBe(404);
    expect((await admin.call(method, `${path}?table=metrics`)).status).toBe(400);
    expect((await admin.call(method, `${path}?db_id=main&table=metrics`)).status).toBe(200);
  }
});

test("a refresh in the background is accepted, shown as running, and completes", async () => {
  const kim = userWith("kim");
  await kim.run("hello");
  const { status, json } = await kim.post("/metrics/refresh?background=true");
  expect([status, json.status]).toEqual([202, "started"]);
  const statusOf = async () => (await kim.get("/metrics/refresh/status")).json;
  const seen = [await statusOf()];
  while (seen.at(-1)?.status === "running") {
    await pause(20);
    seen.push(await statusOf());
  }
  expect(seen.at(-1)).toMatchObject({ status: "completed", error: null });
  expect(Date.parse(seen.at(-1)?.finished_at)).toBeGreaterThanOrEqual(Date.parse(seen.at(-1)?.started_at));
  expect((await kim.get("/metrics")).json.metrics).toMatchObject([{ agent_sessions_count: 1 }]);
});

test("of two who refresh at the same moment one is answered that it is in progress", async () => {
  const uma = userWith("uma");
  await uma.run("hello");
  const asked = await Promise.all([1, 2].map(() => uma.post("/metrics/refresh?background=true")));
  expect(asked.map(({ status }) => status)).toEqual([202, 202]);
  expect(asked.map(({ json }) => json.status).sort()).toEqual(["already_running", "started"]);
});

test("users see their own figures, whomever they name; an admin sees anybody's, and everybody's", async () => {
  const [mine, yours] = [userWith("zoe"), userWith("yann")];
  await mine.run("hello");
  await yours.run("one");
  await yours.run("two");
  expect(await refresh(mine)).toMatchObject([{ agent_sessions_count: 1, users_count: 1 }]);
  expect((await mine.get("/metrics?user_id=yann")).json.metrics).toMatchObject([{ agent_sessions_count: 1 }]);
  expect((await mine.post("/metrics/refresh?user_id=yann")).json).toMatchObject([
    { id: `${today()}_zoe_daily` },
  ]);
  const named = (await admin.post("/metrics/refresh?user_id=yann")).json;
  expect(named).toMatchObject([{ id: `${today()}_yann_daily`, agent_sessions_count: 2 }]);
  const [all] = await refresh(admin);
  expect(all.id).toBe(`${today()}_daily`);
  expect(all.users_count).toBeGreaterThanOrEqual(2);
});

test("GET /config names the table of metrics", async () => {
  const { json } = await admin.get("/config");
  expect(json.metrics.dbs).toMatchObject([{ db_id: "main", tables: ["metrics"] }]);
});

test("figures are broken down by component, tool and user, of the caller alone", async () => {
  const user = userWith("broken-down");
  const { run_id, session_id } = (await user.run('[[tool:add_numbers {"a":1,"b":2}]]')).json;
  await user.run("[[fail:no such luck]]");
  await user.post(`/runs/${run_id}/feedback`, { json: { session_id, key: "thumb", score: 1 } });
  await refresh(user);
  const by = async (name: string, client = user) =>
    (await client.get(`/metrics/breakdown?by=${name}&starting_date=${today()}`)).json;
  expect(await by("component")).toMatchObject({
    data: [{ component_type: "agent", component_id: "assistant", runs: 2, errors: 1, tool_calls: 1 }],
    meta: { by: "component", from: today(), to: today(), days: [today()], total_count: 1 },
  });
  const { data } = await by("tool");
  const thumbs = { up: 1, down: 0 };
  expect(data).toMatchObject([{ tool: "add_numbers", runs: 1, tool_calls: 1, tool_errors: 0, thumbs }]);
  expect(data[0].p95).toBeGreaterThan(0);
  expect((await by("user")).data).toMatchObject([{ user_id: "broken-down", runs: 2, thumbs }]);
  expect((await by("odd")).detail).toBeDefined();
  await refresh(admin);
  expect((await by("user", admin)).data).toContainEqual(expect.objectContaining({ user_id: "broken-down" }));
  expect((await user.get("/metrics/breakdown?starting_date=2020-01-01")).status).toBe(400);
  expect((await userWith("broken-down", ["agents:read"]).get("/metrics/breakdown")).status).toBe(403);
});
