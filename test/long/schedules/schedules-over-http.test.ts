import { describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

const ordinary = ["schedules:read", "schedules:write", "schedules:delete", "agents:run"];

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", ordinary));
  admin = clientOf(platform.url, platform.adminToken);
});

let made = 0;
const aBody = (more: object = {}) => {
  made += 1;
  return { name: `schedule ${made}`, cron_expr: "0 9 * * *", endpoint: "/agents/assistant/runs", ...more };
};
const create = (more: object = {}, client: Client = maria) =>
  client.post("/schedules", { json: aBody(more) });
const patch = (id: string, json: object, client: Client = maria) =>
  client.call("PATCH", `/schedules/${id}`, { json });
const remove = (id: string, client: Client = maria) => client.call("DELETE", `/schedules/${id}`);
const clientOfUser = (sub: string, scopes = ordinary) => clientOf(platform.url, platform.token(sub, scopes));
const now = () => Math.floor(Date.now() / 1000);

/** What a 422 is about: where, and of which type. */
const faultsOf = ({ status, json }: Answer) =>
  status === 422 && Array.isArray(json.detail)
    ? json.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join(".")} ${type}`)
    : status;

describe("a new schedule", () => {
  test("has the defaults, every field, and its next time", async () => {
    const { status, json } = await create({ name: "nightly report" });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      user_id: "maria",
      name: "nightly report",
      description: null,
      method: "POST",
      endpoint: "/agents/assistant/runs",
      payload: {},
      cron_expr: "0 9 * * *",
      timezone: "UTC",
      timeout_seconds: 3600,
      max_retries: 0,
      retry_delay_seconds: 60,
      overlap: "skip",
      enabled: true,
      next_run_at: expect.any(Number),
      managed_by: null,
      target_type: null,
      target_id: null,
      disabled_reason: null,
      created_at: expect.any(Number),
      updated_at: null,
    });
    expect(json.next_run_at).toBeGreaterThan(now());
    expect(json.next_run_at % 86_400).toBe(9 * 3600);
    expect((await maria.get(`/schedules/${json.id}`)).json).toEqual(json);
  });

  test("needs a name, a cron expression and an endpoint", async () => {
    expect(faultsOf(await maria.post("/schedules", { json: {} }))).toEqual([
      "body.name missing",
      "body.endpoint missing",
    ]);
  });

  test("takes a null payload for an empty one, and ignores what it does not know", async () => {
    const { json } = await create({ payload: null, enabled: false, user_id: "paul", managed_by: "studio" });
    expect(json).toMatchObject({ payload: {}, enabled: true, user_id: "maria", managed_by: null });
  });

  test.each([
    ["endpoint", "http://h/x"],
    ["endpoint", "/a://b"],
    ["endpoint", "agents/x"],
    ["endpoint", "/agents/a b/runs"],
    ["endpoint", "/agents/a\n/runs"],
    ["endpoint", "/agents/a\u0000/runs"],
    ["cron_expr", "61 * * * *"],
    ["cron_expr", "0 0 31 2 *"],
    ["timezone", "+05:30"],
    ["timezone", ""],
    ["timezone", "Z"],
  ])("with the %s %j is refused there", async (field, value) => {
    expect(faultsOf(await create({ [field]: value }))).toEqual([`body.${field} value_error`]);
  });

  test.each([
    ["name", "-x"],
    ["name", "a/b"],
    ["name", "ünï"],
    ["name", "with a line end\n"],
    ["name", ""],
    ["name", "x".repeat(256)],
    ["cron_expr", `${"0,".repeat(62)}0 * * * *`],
    ["endpoint", `/${"x".repeat(512)}`],
    ["method", "HEAD"],
    ["method", "CONNECTIONS"],
    ["description", "x".repeat(1025)],
    ["timezone", `Etc/${"x".repeat(61)}`],
    ["payload", []],
    ["payload", "text"],
    ["payload", { n: 1e300 }],
    ["timeout_seconds", 0],
    ["timeout_seconds", 86_401],
    ["timeout_seconds", 1.5],
    ["timeout_seconds", "soon"],
    ["max_retries", -1],
    ["max_retries", 11],
    ["retry_delay_seconds", 0],
    ["retry_delay_seconds", 3601],
    ["overlap", "never"],
  ])("with the %s %j is refused", async (field, value) => {
    const answer = await create({ [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.json.detail[0].loc).toEqual(["body", field]);
  });

  test.each([
    [{ name: "1 ok._-" }],
    [{ name: "x".repeat(255) }],
    [{ description: "x".repeat(1024) }],
    [{ timezone: "America/Argentina/Buenos_Aires" }],
    [{ timezone: "us/pacific" }],
    [{ timeout_seconds: 1, max_retries: 0, retry_delay_seconds: 1 }],
    [{ timeout_seconds: 86_400, max_retries: 10, retry_delay_seconds: 3600 }],
    [{ overlap: "queue" }],
  ])("with %j is taken as it is", async (more) => {
    const { status, json } = await create(more, admin);
    expect(status).toBe(201);
    expect(json).toMatchObject(more);
  });

  test("takes a method in any case and numbers written as text", async () => {
    const { json } = await create({ method: "get", endpoint: "/agents", timeout_seconds: "30" }, admin);
    expect(json).toMatchObject({ method: "GET", timeout_seconds: 30 });
  });

  test("has a name of its own among its owner's", async () => {
    await create({ name: "mine" });
    expect((await create({ name: "mine" })).status).toBe(409);
    expect((await create({ name: "Mine" })).status).toBe(201);
    expect((await create({ name: "mine" }, clientOfUser("paul"))).status).toBe(201);
  });

  test("of ten that ask for one name at once, one gets it", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: "race" })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test("is refused in order: its shape, its target, its name", async () => {
    await create({ name: "taken" });
    const foreign = { name: "taken", endpoint: "/config", method: "GET" };
    expect((await create({ ...foreign, cron_expr: "x" })).status).toBe(422);
    expect((await create(foreign)).status).toBe(403);
    expect((await create({ name: "taken" })).status).toBe(409);
  });
});

describe("a target", () => {
  const writer = ["schedules:read", "schedules:write"];

  test.each([
    ["a run, without the scope to run", writer, { endpoint: "/agents/assistant/runs" }, 403],
    ["a run, with it", [...writer, "agents:run"], { endpoint: "/agents/assistant/runs/" }, 201],
    ["a run, with it for any", [...writer, "agents:*:run"], {}, 201],
    ["a run, with it for this agent", [...writer, "agents:assistant:run"], {}, 201],
    ["a run, with it for another agent", [...writer, "agents:concierge:run"], {}, 403],
    [
      "a run of a team, with the scope of agents",
      [...writer, "agents:run"],
      { endpoint: "/teams/t/runs" },
      403,
    ],
    ["a run of a team", [...writer, "teams:run"], { endpoint: "/teams/support-team/runs" }, 201],
    [
      "a run of a workflow",
      [...writer, "workflows:publish-report:run"],
      { endpoint: "/workflows/publish-report/runs" },
      201,
    ],
    ["a run by another method", [...writer, "agents:run"], { method: "GET" }, 403],
    ["a run with a query", [...writer, "agents:run"], { endpoint: "/agents/assistant/runs?x=1" }, 403],
    ["something else", [...writer, "config:read"], { endpoint: "/config", method: "GET" }, 403],
  ])("that is %s, answers %j %j with %i", async (_, scopes, more, status) => {
    const client = clientOf(platform.url, platform.token("ida", scopes));
    expect((await create(more, client)).status).toBe(status);
  });

  test.each([
    ["GET", "/config"],
    ["GET", "/queue/stats"],
    ["GET", "/nowhere"],
    ["POST", "//evil.com/x"],
    ["POST", "/schedules"],
    ["PUT", "/agents/assistant/runs"],
    ["DELETE", "/sessions/s-1"],
  ])("that can never be called (%s %s) is 422, also for an admin", async (method, endpoint) => {
    expect(await create({ method, endpoint }, admin)).toMatchObject({
      status: 422,
      json: { detail: expect.stringContaining(endpoint) },
    });
    const { json } = await create({}, admin);
    expect((await patch(json.id, { method, endpoint }, admin)).status).toBe(422);
  });

  test.each(["/agents", "/agents/assistant", "/teams?limit=1", "/schedules"])(
    "that reads what schedules may read (GET %s) is taken from an admin",
    async (endpoint) => {
      expect((await create({ method: "GET", endpoint }, admin)).status).toBe(201);
    },
  );

  test.each(["/agents/unknown/runs", "/teams/unknown/runs", "/workflows/unknown/runs"])(
    "that does not exist (%s) is 422, when it is made and when it is changed",
    async (endpoint) => {
      expect((await create({ endpoint }, admin)).status).toBe(422);
      const { json } = await create({}, admin);
      expect((await patch(json.id, { endpoint }, admin)).status).toBe(422);
    },
  );

  test("that is not the owner's to call is refused when it is changed or enabled", async () => {
    const { json } = await create();
    expect((await patch(json.id, { endpoint: "/config" })).status).toBe(403);
    expect((await patch(json.id, { method: "GET" })).status).toBe(403);
    const lesser = clientOfUser("maria", ["schedules:read", "schedules:write"]);
    expect((await patch(json.id, { description: "still hers" }, lesser)).status).toBe(200);
    await lesser.post(`/schedules/${json.id}/disable`);
    expect((await lesser.post(`/schedules/${json.id}/enable`)).status).toBe(403);
    expect((await maria.post(`/schedules/${json.id}/enable`)).status).toBe(200);
  });
});

describe("a change", () => {
  test("of nothing, or of what cannot be changed so, changes nothing", async () => {
    const { json } = await create();
    for (const sent of [{}, { enabled: false, next_run_at: 1, user_id: "paul", managed_by: "studio" }]) {
      const answer = await patch(json.id, sent);
      expect(answer.status).toBe(200);
      expect(answer.json).toEqual(json);
    }
  });

  test("of the time zone or the expression moves the next time", async () => {
    const { json } = await create({ cron_expr: "0 12 * * *" });
    const moved = await patch(json.id, { timezone: "asia/tokyo" });
    expect(moved.json).toMatchObject({ timezone: "asia/tokyo", updated_at: expect.any(Number) });
    expect(moved.json.next_run_at % 86_400).toBe(3 * 3600);
    const again = await patch(json.id, { cron_expr: "30 12 * * *" });
    expect(again.json.next_run_at % 86_400).toBe(3 * 3600 + 1800);
  });

  test("of a disabled schedule leaves the next time as it was, until it is enabled", async () => {
    const { json } = await create();
    await maria.post(`/schedules/${json.id}/disable`);
    const changed = await patch(json.id, { cron_expr: "0 10 * * *" });
    expect(changed.json).toMatchObject({ enabled: false, next_run_at: json.next_run_at });
    const enabled = await maria.post(`/schedules/${json.id}/enable`);
    expect(enabled.json.next_run_at % 86_400).toBe(10 * 3600);
  });

  test.each([
    "name",
    "cron_expr",
    "endpoint",
    "method",
    "timezone",
    "timeout_seconds",
    "max_retries",
    "retry_delay_seconds",
    "overlap",
  ])("of %s to null is refused", async (field) => {
    const { json } = await create();
    const answer = await patch(json.id, { [field]: null });
    expect(answer.status).toBe(422);
    expect(answer.json.detail[0].loc).toEqual(["body", field]);
  });

  test("of description and payload to null empties them", async () => {
    const { json } = await create({ description: "why", payload: { message: "hello" } });
    expect((await patch(json.id, { description: null, payload: null })).json).toMatchObject({
      description: null,
      payload: {},
    });
  });

  test("to a taken name is refused, to its own is not, and frees the old one", async () => {
    const { json } = await create({ name: "first" });
    await create({ name: "second" });
    expect((await patch(json.id, { name: "second" })).status).toBe(409);
    expect((await patch(json.id, { name: "first" })).status).toBe(200);
    expect((await patch(json.id, { name: "third" })).json.name).toBe("third");
    expect((await create({ name: "first" })).status).toBe(201);
  });

  test("to an expression that is none is refused", async () => {
    const { json } = await create();
    expect(faultsOf(await patch(json.id, { cron_expr: "* * *" }))).toEqual(["body.cron_expr value_error"]);
    expect(faultsOf(await patch(json.id, { timezone: "Mars/Olympus" }))).toEqual([
      "body.timezone value_error",
    ]);
  });

  test("is lost by none of several at once", async () => {
    const { json } = await create();
    const sent = [{ description: "d" }, { timeout_seconds: 7 }, { cron_expr: "5 5 * * *" }];
    const answers = await Promise.all(sent.map((change) => patch(json.id, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await maria.get(`/schedules/${json.id}`)).json).toMatchObject(Object.assign({}, ...sent));
  });
});

describe("enabling and disabling", () => {
  test("answer five fields, and the second time the same", async () => {
    const { json } = await create();
    const disabled = await maria.post(`/schedules/${json.id}/disable`);
    expect(disabled.json).toEqual({
      id: json.id,
      name: json.name,
      enabled: false,
      next_run_at: json.next_run_at,
      updated_at: expect.any(Number),
    });
    expect((await maria.post(`/schedules/${json.id}/disable`)).json).toEqual(disabled.json);
    const enabled = await maria.post(`/schedules/${json.id}/enable`);
    expect(enabled.json).toMatchObject({ enabled: true, next_run_at: json.next_run_at });
    expect((await maria.post(`/schedules/${json.id}/enable`)).json).toEqual(enabled.json);
    expect((await maria.get(`/schedules/${json.id}`)).json).toMatchObject({
      enabled: true,
      disabled_reason: null,
    });
  });
});

describe("a removed schedule", () => {
  test("is gone, its name is free, and it cannot be removed twice", async () => {
    const { json } = await create({ name: "short-lived" });
    const removed = await remove(json.id);
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expect((await remove(json.id)).status).toBe(404);
    expect((await maria.get(`/schedules/${json.id}`)).status).toBe(404);
    expect((await create({ name: "short-lived" })).status).toBe(201);
  });
});

describe("a schedule of another user", () => {
  const paths = ["", "/enable", "/disable"] as const;

  test.each([
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", paths[1]],
    ["POST", paths[2]],
  ])("is as unknown as one that does not exist: %s %s", async (method, rest) => {
    const { json } = await create();
    const paul = clientOfUser("paul");
    const sent = method === "PATCH" ? { json: { description: "x" } } : {};
    const foreign = await paul.call(method, `/schedules/${json.id}${rest}`, sent);
    const unknown = await paul.call(method, `/schedules/nothing${rest}`, sent);
    expect([foreign.status, foreign.json]).toEqual([404, unknown.json]);
    expect(foreign.json.detail).toBe("Schedule not found");
    expect((await admin.get(`/schedules/${json.id}`)).status).toBe(200);
  });
});

describe("an unknown member", () => {
  test("is 422 with the nearest name, in both bodies", async () => {
    const { json } = await create();
    for (const answer of [
      await create({ overlap_policy: "queue", time_zone: "UTC" }),
      await patch(json.id, { overlap_policy: "queue", time_zone: "UTC" }),
    ]) {
      expect(faultsOf(answer)).toEqual([
        "body.overlap_policy extra_forbidden",
        "body.time_zone extra_forbidden",
      ]);
      expect(answer.json.detail.map(({ msg }: { msg: string }) => msg)).toEqual([
        "overlap_policy is not known here; did you mean overlap?",
        "time_zone is not known here; did you mean timezone?",
      ]);
    }
  });

  test("is none that an answer shows: those may be sent back and change nothing", async () => {
    const { json } = await create();
    expect(await patch(json.id, { ...json, enabled: false, id: "other" })).toMatchObject({
      status: 200,
      json: { id: json.id, enabled: true },
    });
  });
});

describe("a schedule on demand", () => {
  test("has no times, is triggered, and gets and loses times by a change", async () => {
    for (const cron_expr of [undefined, ""]) {
      const { status, json } = await create({ cron_expr, payload: { message: "now" } });
      expect(status).toBe(201);
      expect(json).toMatchObject({ cron_expr: "", next_run_at: null, enabled: true });
      expect((await maria.post(`/schedules/${json.id}/trigger`)).json).toMatchObject({ status: "success" });
      const timed = await patch(json.id, { cron_expr: "0 9 * * *" });
      expect(timed.json.next_run_at).toEqual(expect.any(Number));
      const untimed = await patch(json.id, { cron_expr: "" });
      expect(untimed).toMatchObject({ status: 200, json: { cron_expr: "", next_run_at: null } });
      expect((await maria.post(`/schedules/${json.id}/disable`)).json.next_run_at).toBeNull();
      expect((await maria.post(`/schedules/${json.id}/enable`)).json).toMatchObject({
        enabled: true,
        next_run_at: null,
      });
    }
    expect((await create({ cron_expr: null })).status).toBe(422);
    const { json } = await create({});
    await maria.post(`/schedules/${json.id}/disable`);
    expect((await patch(json.id, { cron_expr: "" })).json.next_run_at).toBeNull();
  });
});

describe("a list", () => {
  test("shows an owner its own, the newest first, page by page, and an admin everybody's", async () => {
    const lena = clientOfUser("lena");
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await create({}, lena)).json.id);
    await lena.post(`/schedules/${ids[1]}/disable`);
    const idsOf = async (query: string) => {
      const { json } = await lena.get(`/schedules${query}`);
      return { ids: json.data.map(({ id }: { id: string }) => id), meta: json.meta };
    };
    const meta = { page: 1, limit: 100, total_pages: 1, total_count: 5, search_time_ms: 0 };
    const all = await idsOf("");
    expect(all.meta).toEqual(meta);
    expect(new Set(all.ids)).toEqual(new Set(ids));
    const pages = [await idsOf("?limit=2"), await idsOf("?limit=2&page=2"), await idsOf("?limit=2&page=3")];
    expect(pages.flatMap((page) => page.ids)).toEqual(all.ids);
    expect(pages[2]?.meta).toMatchObject({ page: 3, limit: 2, total_pages: 3 });
    expect(await idsOf("?page=9")).toEqual({ ids: [], meta: { ...meta, page: 9 } });
    expect((await idsOf("?enabled=false")).ids).toEqual([ids[1]]);
    expect((await idsOf("?enabled=true")).meta.total_count).toBe(4);
    expect((await clientOfUser("without-schedules").get("/schedules")).json.meta).toMatchObject({
      total_pages: 0,
    });
    const everybody = (await admin.get("/schedules?limit=1000")).json.data;
    expect(everybody.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids));
    expect(everybody.length).toBeGreaterThan(5);
  });

  test("shows each with its newest attempts where these are asked for, in one answer of a bounded size", async () => {
    const lisa = clientOfUser("lisa");
    const { json } = await create({ cron_expr: "", payload: { message: "now" } }, lisa);
    for (let i = 0; i < 2; i += 1) await lisa.post(`/schedules/${json.id}/trigger`);
    const [plain] = (await lisa.get("/schedules")).json.data;
    expect(plain).not.toHaveProperty("latest_runs");
    const [whole] = (await lisa.get("/schedules?latest_runs=5")).json.data;
    expect(whole.latest_runs).toEqual((await lisa.get(`/schedules/${json.id}/runs`)).json.data);
    expect(whole.latest_runs).toHaveLength(2);
    const [newest] = (await lisa.get("/schedules?latest_runs=1")).json.data;
    expect(newest.latest_runs).toEqual(whole.latest_runs.slice(0, 1));
    expect((await lisa.get("/schedules?limit=100&latest_runs=11")).status).toBe(400);
  });

  test.each(["latest_runs=21", "limit=0", "limit=1001", "page=0", "enabled=maybe"])(
    "refuses %s",
    async (query) => {
      expect((await maria.get(`/schedules?${query}`)).status).toBe(422);
    },
  );
});

test("a scope for one schedule, or for another action, opens nothing", async () => {
  const { json } = await create();
  const path = `/schedules/${json.id}`;
  const reader = clientOfUser("maria", ["schedules:read", "agents:run"]);
  expect((await create({}, reader)).status).toBe(403);
  expect((await clientOfUser("maria", ["schedules:write"]).call("DELETE", path)).status).toBe(403);
  expect((await clientOfUser("maria", [`schedules:${json.id}:read`]).get(path)).status).toBe(403);
});
