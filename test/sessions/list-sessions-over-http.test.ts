import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { runItem, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import { type StoredSession, sessionItem } from "../../shared/stores/sessions/session-item.ts";
import { type Client, clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";
import { putItems } from "../support/put-items.ts";
import { aJob, aRunOf, aSession, T0 } from "../support/records.ts";
import { type StoreView, viewStores } from "../support/stored.ts";

let platform: TestPlatform;
let view: StoreView;
let maria: Client;
let otto: Client;
let admin: Client;

/** Thirty sessions of maria's, a second apart, the last one the newest; and one of otto's. */
const marias = Array.from({ length: 30 }, (_, i) => {
  const session_type = (["agent", "team", "workflow"] as const)[i % 3] ?? "agent";
  return aSession({
    session_id: `s-${String(i).padStart(2, "0")}`,
    user_id: "maria",
    session_type,
    component_id: `${session_type}-${i % 2}`,
    created_at: T0 - 100 + i,
    updated_at: T0 - i,
    ...(i % 10 === 0 && { session_name: `Ticket No. ${i}` }),
    derived_name: `derived ${i}`,
  });
});

beforeAll(async () => {
  platform = await startPlatform();
  view = viewStores(platform);
  const ottos = aSession({ session_id: "o-1", user_id: "otto", created_at: T0 - 200 });
  await putItems(view.db, "sessions", [...marias, ottos].map(sessionItem));
  maria = clientOf(platform.url, platform.token("maria", ["sessions:read"]));
  otto = clientOf(platform.url, platform.token("otto", ["sessions:read"]));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  view.close();
  await platform.stop();
});

const idsOf = async (query: string, client = maria): Promise<string[]> =>
  (await client.get(`/sessions?${query}`)).json.data.map((row: { session_id: string }) => row.session_id);
const totalOf = async (query: string, client = maria): Promise<number> =>
  (await client.get(`/sessions?${query}`)).json.meta.total_count;
const newestFirst = marias.map(({ session_id }) => session_id).toReversed();

describe("a page of sessions", () => {
  test("holds twenty, the newest first, with the totals", async () => {
    const { status, json } = await maria.get("/sessions");
    expect(status).toBe(200);
    expect(json.data.map(({ session_id }: { session_id: string }) => session_id)).toEqual(
      newestFirst.slice(0, 20),
    );
    expect(json.meta).toMatchObject({ page: 1, limit: 20, total_pages: 2, total_count: 30 });
  });

  test("shows items without nulls, without runs, with the name that was given or the derived one", async () => {
    const { json } = await maria.get("/sessions?sort_order=asc&limit=2");
    expect(json.data[0]).toMatchObject({
      session_name: "Ticket No. 0",
      session_type: "agent",
      agent_id: "agent-0",
      user_id: "maria",
      session_state: {},
      total_tokens: 0,
    });
    expect(json.data[1]).toMatchObject({ session_name: "derived 1", team_id: "team-1" });
    for (const row of json.data) {
      expect(Object.values(row)).not.toContain(null);
      expect(row).not.toHaveProperty("chat_history");
      expect(row).not.toHaveProperty("runs");
    }
  });

  test("beyond the end is empty and shows the totals; page 0 is the first", async () => {
    const beyond = (await maria.get("/sessions?page=9")).json;
    expect([beyond.data, beyond.meta.total_count, beyond.meta.page]).toEqual([[], 30, 9]);
    const zero = (await maria.get("/sessions?page=0&limit=5")).json;
    expect(zero.meta.page).toBe(0);
    expect(zero.data).toHaveLength(5);
  });

  test("and the pages after it hold every session once", async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => idsOf(`limit=7&page=${page}`)));
    expect(pages.flat()).toEqual(newestFirst);
  });

  test("answers 422 to limits, types and orders that there are not", async () => {
    for (const query of ["limit=0", "limit=1001", "limit=x", "page=-1", "type=crew", "sort_order=up"]) {
      expect((await maria.get(`/sessions?${query}`)).status, query).toBe(422);
    }
  });
});

describe("a filter", () => {
  test.each([
    ["type=team", 10],
    ["type=workflow", 10],
    ["component_id=agent-0", 5],
    ["component_id=agent-0&type=agent", 5],
    ["component_id=agent-0&type=team", 0],
    ["component_id=unknown", 0],
    ["session_name=ticket", 3],
    ["session_name=TICKET%20no.%201", 1],
    ["session_name=derived", 0],
    ["session_name=ticket&type=agent", 1],
  ])("%s matches %i, and counts as many", async (query, count) => {
    expect(await idsOf(`${query}&limit=100`)).toHaveLength(count);
    expect(await totalOf(query)).toBe(count);
  });

  test("keeps the order, page by page", async () => {
    const teams = marias.filter(({ session_type }) => session_type === "team");
    const ids = teams.map(({ session_id }) => session_id).toReversed();
    expect(await idsOf("type=team&limit=4&page=2")).toEqual(ids.slice(4, 8));
  });
});

describe("a sort", () => {
  test("by creation goes both ways", async () => {
    expect(await idsOf("sort_order=asc&limit=100")).toEqual(newestFirst.toReversed());
  });

  test("by the last change", async () => {
    expect(await idsOf("sort_by=updated_at&limit=100")).toEqual(newestFirst.toReversed());
    expect(await idsOf("sort_by=updated_at&sort_order=asc&limit=3")).toEqual(newestFirst.slice(0, 3));
  });

  test("by id, and by a column that most have not: those come last", async () => {
    expect(await idsOf("sort_by=session_id&sort_order=asc&limit=2")).toEqual(["s-00", "s-01"]);
    const byTeam = await idsOf("sort_by=team_id&sort_order=asc&limit=100");
    const teams = marias.filter(({ session_type }) => session_type === "team").map((one) => one.session_id);
    expect(byTeam.slice(0, 10).toSorted()).toEqual(teams.toSorted());
  });

  test("by a column that there is not is ignored", async () => {
    expect(await idsOf("sort_by=colour&limit=3")).toEqual(newestFirst.slice(0, 3));
  });
});

describe("the runs of a seeded session", () => {
  const store = async (session: Partial<StoredSession>, runs: readonly StoredRun[]) => {
    await putItems(view.db, "sessions", [sessionItem(aSession({ user_id: "ida", ...session }))]);
    await putItems(
      view.db,
      "runs",
      runs.map((run) => runItem(run)),
    );
  };
  const ida = () => clientOf(platform.url, platform.token("ida", ["sessions:read"]));
  const runIn = (
    session_id: string,
    changed: Partial<StoredRun>,
    output: Partial<RunOutput> = {},
  ): StoredRun => {
    const run = aRunOf(aJob({ session_id, owner: "ida", user_id: "ida" }));
    return { ...run, status: "COMPLETED", ...changed, output: { ...run.output, ...output } };
  };

  test("of a team are those of the team and of its members, each in its own form", async () => {
    const lead = runIn("crew", { component_type: "team", component_id: "support-team" });
    const member = runIn("crew", {}, { parent_run_id: lead.run_id });
    await store({ session_id: "crew", session_type: "team", component_id: "support-team" }, [lead, member]);
    const { json } = await ida().get("/sessions/crew/runs");
    expect(json).toMatchObject([
      { run_id: lead.run_id, team_id: "support-team", parent_run_id: "" },
      { run_id: member.run_id, agent_id: "assistant", parent_run_id: lead.run_id },
    ]);
    expect(json[0]).not.toHaveProperty("user_id");
    const { chat_history } = (await ida().get("/sessions/crew")).json;
    expect(chat_history).toEqual([]);
  });

  test("of a workflow have the form of workflow runs", async () => {
    const run = runIn("flow", { component_type: "workflow", component_id: "publish-report" });
    await store({ session_id: "flow", session_type: "workflow", component_id: "publish-report" }, [run]);
    const [row] = (await ida().get("/sessions/flow/runs")).json;
    expect(row).toMatchObject({ run_id: run.run_id, workflow_id: "publish-report", step_results: [] });
    expect(row).not.toHaveProperty("parent_run_id");
    expect(row).not.toHaveProperty("session_state");
    const one = (await ida().get(`/sessions/flow/runs/${run.run_id}`)).json;
    expect(one).toMatchObject({ pause_kind: null, step_requirements: null });
  });

  test("that do not fit into one answer are the newest, with the bound that gives the ones before", async () => {
    const runs = Array.from({ length: 60 }, (_, i) =>
      runIn("huge", {}, { content: `${i} ${"x".repeat(100_000)}`, created_at: T0 - 60 + i }),
    ).map((run, i) => ({ ...run, run_id: `01a1fc9b-${String(i).padStart(4, "0")}` }));
    await store({ session_id: "huge", component_id: "assistant" }, runs);
    const seen = new Set<string>();
    let bound: string | null = null;
    do {
      const query: string = bound === null ? "" : `?created_before=${bound}`;
      const { status, headers, json } = await ida().get(`/sessions/huge/runs${query}`);
      expect(status).toBe(200);
      for (const { content } of json) seen.add(content.slice(0, 2));
      bound = headers.get("x-created-before");
    } while (bound !== null);
    expect(seen.size).toBe(60);
    expect((await ida().get("/sessions/huge")).status).toBe(200);
  });

  test("are given in pages from the newest, also where all were made in one second", async () => {
    const said = (run: StoredRun) => ({
      id: `m-${run.run_id}`,
      role: "user" as const,
      content: run.run_id,
      from_history: false,
      stop_after_tool_call: false,
      created_at: T0,
    });
    const runs = Array.from({ length: 7 }, (_, i) => ({
      ...runIn("paged", { status: i === 3 ? "ERROR" : "COMPLETED" }, { created_at: T0 }),
      run_id: `01a1fc9b-${i}`,
    })).map((run) => ({ ...run, output: { ...run.output, run_id: run.run_id, messages: [said(run)] } }));
    await store({ session_id: "paged", component_id: "assistant" }, runs);
    const ids = runs.map(({ run_id }) => run_id);
    const page = async (route: string, query: string) => {
      const { status, headers, json } = await ida().get(`/sessions/paged/${route}?${query}`);
      expect(status, query).toBe(200);
      const shown: string[] = json.map(({ run_id }: { run_id: string }) => run_id);
      return { shown, before: headers.get("x-before-run-id") };
    };
    for (const route of ["runs", "run-previews"]) {
      expect(await page(route, "limit=3")).toEqual({ shown: ids.slice(4), before: ids[4] });
      expect(await page(route, `limit=3&before_run_id=${ids[4]}`)).toEqual({
        shown: ids.slice(1, 4),
        before: ids[1],
      });
      expect(await page(route, `limit=3&before_run_id=${ids[1]}`)).toEqual({ shown: [ids[0]], before: null });
      expect(await page(route, `limit=3&before_run_id=${ids[0]}`)).toEqual({ shown: [], before: null });
      expect(await page(route, "limit=7")).toEqual({ shown: ids, before: null });
      expect((await page(route, "limit=2&status=error")).shown).toEqual([ids[3]]);
      expect((await page(route, `before_run_id=${ids[2]}&created_before=${T0}`)).shown).toEqual(
        ids.slice(0, 2),
      );
      expect((await page(route, `before_run_id=${ids[2]}&created_after=${T0 + 600}`)).shown).toEqual([]);
    }
    const history = async (query: string): Promise<string[]> =>
      (await ida().get(`/sessions/paged${query}`)).json.chat_history.map(
        ({ content }: { content: string }) => content,
      );
    expect(await history("?history_runs=2")).toEqual(ids.slice(5));
    expect(await history("?history_runs=0")).toEqual([]);
    expect(await history("")).toEqual(ids);
    for (const query of ["/runs?limit=0", "/runs?limit=1001", "?history_runs=-1"])
      expect((await ida().get(`/sessions/paged${query}`)).status, query).toBe(422);
  });
});

describe("whose sessions", () => {
  test("a user sees none but their own, whatever they ask for", async () => {
    expect(await idsOf("user_id=maria", otto)).toEqual(["o-1"]);
    expect(await totalOf("", otto)).toBe(1);
  });

  test("an admin sees everybody's, and one user's where asked", async () => {
    const everybody = await idsOf("limit=100", admin);
    expect(everybody).toEqual(expect.arrayContaining([...newestFirst, "o-1"]));
    expect(await totalOf("", admin)).toBe(everybody.length);
    expect(everybody.filter((id) => newestFirst.includes(id))).toEqual(newestFirst);
    expect(await idsOf("user_id=otto", admin)).toEqual(["o-1"]);
  });
});
