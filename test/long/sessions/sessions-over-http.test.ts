import { beforeAll, describe, expect } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:write", "sessions:delete"];
const clientFor = (sub: string, held = scopes) => clientOf(platform.url, platform.token(sub, held));
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientFor("maria");
  otto = clientFor("otto");
  admin = clientOf(platform.url, platform.adminToken);
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const create = (client: Client, json?: object, query = "") =>
  client.post(`/sessions${query}`, json && { json });

describe("creating a session", () => {
  test("without a body answers 201 with a new id, an empty name and an empty conversation", async () => {
    const { status, json } = await create(maria);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      session_id: expect.stringMatching(UUID),
      session_name: "",
      session_state: {},
      chat_history: [],
      total_tokens: 0,
      user_id: "maria",
    });
    expect(Object.values(json)).not.toContain(null);
  });

  test.each(["[]", "[1]", '"text"', "1", "null"])(
    "with the body %s, which is no object, is 422",
    async (body) => {
      const headers = { "content-type": "application/json" };
      const token = platform.token("maria", scopes);
      const answer = await fetch(`${platform.url}/sessions`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${token}` },
        body,
      });
      expect(answer.status).toBe(422);
    },
  );

  test("with all fields gives them back, its times in UTC", async () => {
    const asked = {
      session_id: "all-fields",
      session_name: "Named",
      session_state: { step: 1 },
      metadata: { from: "test" },
      agent_id: "assistant",
      team_id: "ignored",
    };
    const { json } = await create(maria, asked);
    const { team_id: _ignored, ...kept } = asked;
    expect(json).toMatchObject({
      ...kept,
      agent_session_id: "all-fields",
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
      agent_data: {
        id: "assistant",
        agent_id: "assistant",
        name: "Assistant",
        model: { id: "scripted-1", provider: "Scripted", name: "Scripted" },
      },
    });
    expect(json).not.toHaveProperty("team_id");
    expect((await maria.get("/sessions/all-fields")).json).toEqual(json);
  });

  test("of type team or workflow answers in the form of that type", async () => {
    const team = (await create(maria, { team_id: "t" }, "?type=team")).json;
    expect(team).toMatchObject({ team_id: "t", chat_history: [], total_tokens: 0 });
    expect(team).not.toHaveProperty("agent_session_id");
    const state = { step: 1 };
    const workflow = (
      await create(maria, { workflow_id: "w", session_name: "W", session_state: state }, "?type=workflow")
    ).json;
    expect(workflow).toMatchObject({
      workflow_id: "w",
      session_data: { session_name: "W", session_state: state, session_metrics: {} },
    });
    for (const name of ["chat_history", "metrics", "total_tokens", "session_summary"]) {
      expect(workflow).not.toHaveProperty(name);
    }
  });

  test("whose id exists answers 409 and leaves it alone; only who may see it learns that it exists", async () => {
    await create(maria, { session_id: "taken", session_name: "first" });
    const own = await create(maria, { session_id: "taken", session_name: "second" });
    expect([own.status, own.json.detail]).toEqual([409, expect.stringContaining("PATCH")]);
    const foreign = await create(otto, { session_id: "taken", session_name: "third" });
    expect(foreign.status).toBe(409);
    expect(foreign.json.detail).not.toMatch(/exists|maria/);
    expect((await maria.get("/sessions/taken")).json.session_name).toBe("first");
  });

  test("belongs to the subject of the credential, whatever the body says; an admin may act for a user", async () => {
    expect((await create(maria, { user_id: "otto" })).json.user_id).toBe("maria");
    const { json } = await create(admin, { user_id: "otto" });
    expect(json.user_id).toBe("otto");
    expect((await otto.get(`/sessions/${json.session_id}`)).status).toBe(200);
  });

  test.each([
    ["a bad type", "?type=crew", {}],
    ["a name that is no text", "", { session_name: 7 }],
    ["a state that is no object", "", { session_state: "on" }],
    ["an id that is too long", "", { session_id: "x".repeat(256) }],
    ["an agent whose name fits into no key", "", { agent_id: "x".repeat(201) }],
    ["metadata that no item has room for", "", { metadata: { text: "x".repeat(100_000) } }],
    ["a name that no item has room for", "", { session_name: "x".repeat(400_000) }],
  ])("with %s answers 422", async (_what, query, json) => {
    expect((await create(maria, json, query)).status).toBe(422);
  });
});

describe("reading a session", () => {
  test("answers 404 for one that is unknown, another user's, or of another type", async () => {
    await create(maria, { session_id: "hers" });
    expect((await maria.get("/sessions/nowhere")).status).toBe(404);
    expect((await otto.get("/sessions/hers")).status).toBe(404);
    expect((await maria.get("/sessions/hers?type=agent")).status).toBe(200);
    expect((await maria.get("/sessions/hers?type=team")).status).toBe(404);
  });

  test("is everybody's for an admin, and filtered where the admin names a user", async () => {
    await create(maria, { session_id: "seen-by-admin" });
    expect((await admin.get("/sessions/seen-by-admin")).status).toBe(200);
    expect((await admin.get("/sessions/seen-by-admin?user_id=maria")).status).toBe(200);
    expect((await admin.get("/sessions/seen-by-admin?user_id=otto")).status).toBe(404);
    expect((await otto.get("/sessions/seen-by-admin?user_id=maria")).status).toBe(404);
  });

  test("shows what user and assistant said in all runs, in order, once each", async () => {
    const session_id = "talk";
    const tool = '[[tool:add_numbers {"a":2,"b":3}]]';
    const runs = [];
    for (const message of ["one", tool, "three"]) runs.push((await maria.run(message, { session_id })).json);
    const { json } = await maria.get("/sessions/talk");
    const said = json.chat_history.map(({ role, content }: Record<string, string>) => [role, content]);
    expect(said.map(([role]: string[]) => role)).toEqual([
      ...["user", "assistant"],
      ...["user", "assistant", "assistant"],
      ...["user", "assistant"],
    ]);
    expect(said[0]).toEqual(["user", "one"]);
    expect(said.at(-1)).toEqual(["assistant", "You said: three"]);
    const total = runs.reduce((sum, run) => sum + run.metrics.total_tokens, 0);
    expect(json).toMatchObject({ total_tokens: total, metrics: { total_tokens: total } });
    expect(total).toBeGreaterThan(0);
  });

  test("shows the time as text, where the run itself shows seconds", async () => {
    const run = (await maria.run("when?", { session_id: "times" })).json;
    const [row] = (await maria.get("/sessions/times/runs")).json;
    expect(row.created_at).toMatch(ISO);
    expect(Date.parse(row.created_at) / 1000).toBe(run.created_at);
  });

  test.each(["?db_id=nowhere", "?db_id=main&table=nowhere"])(
    "in another place (%s) answers 404",
    async (query) => {
      expect((await maria.get(`/sessions${query}`)).status).toBe(404);
      expect((await create(maria, {}, query)).status).toBe(404);
    },
  );

  test("in a table without its database answers 400", async () => {
    expect((await maria.get("/sessions?table=sessions")).status).toBe(400);
    expect((await maria.get("/sessions?table=sessions&db_id=main")).status).toBe(200);
  });
});

describe("the name of a session", () => {
  test("is its first message until it is named, also when the session was there before", async () => {
    await create(maria, { session_id: "named-late", agent_id: "assistant" });
    await maria.run("How many tickets?", { session_id: "named-late" });
    await maria.run("And now?", { session_id: "named-late" });
    expect((await maria.get("/sessions/named-late")).json.session_name).toBe("How many tickets?");
    const renamed = await maria.post("/sessions/named-late/rename", { json: { session_name: "Tickets" } });
    expect([renamed.status, renamed.json.session_name]).toEqual([200, "Tickets"]);
    await maria.run("Again?", { session_id: "named-late" });
    expect((await maria.get("/sessions/named-late")).json.session_name).toBe("Tickets");
  });

  test("may be empty, and is required", async () => {
    await create(maria, { session_id: "nameless", session_name: "x" });
    const rename = (json?: object, id = "nameless") => maria.post(`/sessions/${id}/rename`, json && { json });
    expect((await rename({ session_name: "" })).json.session_name).toBe("");
    expect(await rename({})).toMatchObject({
      status: 422,
      json: { detail: [{ type: "missing", loc: ["body", "session_name"] }] },
    });
    expect((await rename()).status).toBe(422);
    expect((await rename({ session_name: "x" }, "nowhere")).status).toBe(404);
  });

  test("is found by the model where it is asked to", async () => {
    await maria.run("Write about the sea", { session_id: "auto" });
    const { status, json } = await maria.post("/sessions/auto/rename", { json: { autogenerate: true } });
    expect(status).toBe(200);
    expect(json.session_name).toContain("Write about the sea");
    expect((await maria.get("/sessions/auto")).json.session_name).toBe(json.session_name);
  });

  test("is not found by the model where nothing was said, or where it fails", async () => {
    await create(maria, { session_id: "silent" });
    const auto = { json: { autogenerate: true } };
    expect((await maria.post("/sessions/silent/rename", auto)).status).toBe(400);
    await maria.run("[[sleep:1]] [[tokens:1]]", { session_id: "odd" });
    const { session_id } = (await maria.run("say [[fail:boom]]", { session_id: "broken" })).json;
    expect((await maria.post(`/sessions/${session_id}/rename`, auto)).status).toBe(400);
  });
});

describe("changing a session", () => {
  const patch = (json?: object, id = "patched", client = maria) =>
    client.call("PATCH", `/sessions/${id}`, json && { json });
  beforeAll(async () => {
    await create(maria, { session_id: "patched", session_state: { a: 1, b: 2 }, metadata: { m: 1 } });
  });

  test("replaces the state whole and leaves what is not named", async () => {
    const { status, json } = await patch({ session_state: { c: 3 } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ session_state: { c: 3 }, metadata: { m: 1 }, session_name: "" });
  });

  test("keeps nulls in its answer", async () => {
    expect((await patch({ session_name: "n" })).json).toMatchObject({
      session_name: "n",
      session_summary: null,
      agent_id: null,
      agent_data: null,
    });
  });

  test("with nothing, or with nulls, changes nothing", async () => {
    const before = (await maria.get("/sessions/patched")).json;
    for (const json of [{}, { session_name: null, session_state: null, metadata: null, summary: null }]) {
      expect((await patch(json)).status).toBe(200);
    }
    expect((await maria.get("/sessions/patched")).json).toEqual(before);
  });

  test("takes a summary, and shows it as session_summary", async () => {
    const summary = { summary: "About tickets", topics: ["tickets"], updated_at: "2026-09-21T14:13:20Z" };
    expect((await patch({ summary })).json.session_summary).toEqual(summary);
    expect((await maria.get("/sessions?session_name=n")).json.data).toContainEqual(
      expect.objectContaining({ session_id: "patched", session_summary: summary }),
    );
  });

  test.each([
    ["no body", undefined],
    ["a summary without its text", { summary: { topics: [] } }],
    ["a summary with other keys", { summary: { summary: "x", more: 1 } }],
    ["a summary of no time", { summary: { summary: "x", updated_at: "soon" } }],
    ["a state that is a list", { session_state: [] }],
    ["a summary that no item has room for", { summary: { summary: "x".repeat(400_000) } }],
  ])("with %s answers 422", async (_what, json) => {
    expect((await patch(json)).status).toBe(422);
  });

  test("that is unknown or another user's answers 404 and changes nothing", async () => {
    expect((await patch({ session_name: "x" }, "nowhere")).status).toBe(404);
    expect((await patch({ session_name: "x" }, "patched", otto)).status).toBe(404);
    expect((await maria.get("/sessions/patched")).json.session_name).not.toBe("x");
  });
});

const CROWD_TIMEOUT_MS = 120_000;

describe("the runs of a session", () => {
  test("are listed in order of creation, without nulls; one alone has them", async () => {
    const first = (await maria.run("first", { session_id: "with-runs" })).json;
    const second = (await maria.run("[[fail:boom]]", { session_id: "with-runs" })).json;
    const { status, json } = await maria.get("/sessions/with-runs/runs");
    expect(status).toBe(200);
    expect(json).toMatchObject([
      {
        run_id: first.run_id,
        run_input: "first",
        status: "COMPLETED",
        agent_id: "assistant",
        user_id: "maria",
      },
      { run_id: second.run_id, status: "ERROR" },
    ]);
    expect(json[0]).toMatchObject({
      parent_run_id: "",
      content: "You said: first",
      run_response_format: "text",
      reasoning_steps: [],
      input_media: { images: [], videos: [], audios: [], files: [] },
    });
    expect(Object.values(json[0])).not.toContain(null);
    const one = (await maria.get(`/sessions/with-runs/runs/${first.run_id}`)).json;
    expect(one).toMatchObject({ run_id: first.run_id, citations: null, tools: null, followups: null });
  });

  test("are bounded by created_after and created_before, both inclusive", async () => {
    const { created_at } = (await maria.run("when", { session_id: "bounded" })).json;
    const count = async (query: string) => (await maria.get(`/sessions/bounded/runs?${query}`)).json.length;
    expect(await count(`created_after=${created_at}&created_before=${created_at}`)).toBe(1);
    expect(await count("created_after=0")).toBe(1);
    expect(await count("created_before=0")).toBe(0);
    expect(await count(`created_after=${created_at + 1}`)).toBe(0);
    expect(await count(`created_before=${created_at - 1}`)).toBe(0);
    expect(await count(`created_after=${created_at + 1}&created_before=${created_at - 1}`)).toBe(0);
    expect((await maria.get("/sessions/bounded/runs?created_after=noon")).status).toBe(422);
  });

  test("are none for a session that has none, and 404 for one that is not there or not one's own", async () => {
    await create(maria, { session_id: "runless" });
    expect((await maria.get("/sessions/runless/runs")).json).toEqual([]);
    expect((await maria.get("/sessions/runless/runs/r")).status).toBe(404);
    expect((await maria.get("/sessions/nowhere/runs")).status).toBe(404);
    expect((await maria.get("/sessions/nowhere/runs/r")).status).toBe(404);
    expect((await otto.get("/sessions/runless/runs")).status).toBe(404);
  });

  test("of a session that was created without an agent make it that agent's", async () => {
    await create(maria, { session_id: "anybodys" });
    expect((await maria.run("mine now", { session_id: "anybodys" })).status).toBe(200);
    expect((await maria.get("/sessions/anybodys")).json.agent_id).toBe("assistant");
    const other = await maria.post("/agents/refund-desk/runs", {
      form: { message: "mine?", session_id: "anybodys", stream: "false" },
    });
    expect(other.status).toBe(404);
  });

  test("cannot be another component's or another type's", async () => {
    await create(maria, { session_id: "a-teams" }, "?type=team");
    expect((await maria.run("hello", { session_id: "a-teams" })).status).toBe(404);
    await create(maria, { session_id: "a-desks", agent_id: "refund-desk" });
    expect((await maria.run("hello", { session_id: "a-desks" })).status).toBe(404);
  });

  test("side by side are all kept, and their tokens summed once each", {
    timeout: CROWD_TIMEOUT_MS,
  }, async () => {
    const session_id = "crowd";
    await create(maria, { session_id, agent_id: "assistant" });
    const accepted = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        maria.submit(`run ${i}`, { session_id, session_policy: "parallel" }),
      ),
    );
    const ended = await Promise.all(accepted.map((run) => maria.settled(run, CROWD_TIMEOUT_MS)));
    const { json: runs } = await maria.get("/sessions/crowd/runs");
    expect(runs).toHaveLength(100);
    expect(new Set(runs.map(({ run_input }: { run_input: string }) => run_input)).size).toBe(100);
    expect(ended.every(({ status }) => status === "COMPLETED")).toBe(true);
    const total = ended.reduce((sum, { metrics }) => sum + (metrics?.total_tokens ?? 0), 0);
    expect((await maria.get("/sessions/crowd")).json.total_tokens).toBe(total);
  });
});

describe("access", () => {
  test.each([
    ["GET", "/sessions", "sessions:read"],
    ["GET", "/sessions/x", "sessions:read"],
    ["GET", "/sessions/x/runs", "sessions:read"],
    ["GET", "/sessions/x/runs/y", "sessions:read"],
    ["POST", "/sessions", "sessions:write"],
    ["PATCH", "/sessions/x", "sessions:write"],
    ["POST", "/sessions/x/rename", "sessions:write"],
    ["DELETE", "/sessions", "sessions:delete"],
    ["DELETE", "/sessions/x", "sessions:delete"],
  ])("to %s %s takes %s", async (method, path, scope) => {
    const anonymous = clientOf(platform.url);
    const without = clientFor(
      "maria",
      scopes.filter((held) => held !== scope),
    );
    expect((await anonymous.call(method, path)).status).toBe(401);
    expect((await without.call(method, path)).status).toBe(403);
    expect([401, 403]).not.toContain((await clientFor("maria", [scope]).call(method, path)).status);
  });
});
