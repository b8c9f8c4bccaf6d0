import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedRun } from "../../shared/schemas/runs/run-list.ts";
import { type Client, clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  const scopes = ["agents:read", "agents:run", "teams:read", "teams:run", "workflows:read", "workflows:run"];
  maria = clientOf(platform.url, platform.token("maria", [...scopes, "sessions:read", "sessions:delete"]));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform.stop());

const holding = (sub: string, ...scopes: string[]) => clientOf(platform.url, platform.token(sub, scopes));
const rowsOf = async (client: Client, query = ""): Promise<ListedRun[]> => {
  const { status, json } = await client.get(`/runs${query}`);
  expect(status).toBe(200);
  return json.data;
};
const idsOf = async (client: Client, query = "") => (await rowsOf(client, query)).map(({ run_id }) => run_id);
const start = async (client: Client, path: string, message: string) =>
  (await client.post(`/${path}/runs`, { form: { message, stream: "false" } })).json;

describe("GET /runs", () => {
  test("shows the caller's own runs of all sessions and kinds, the newest first, without those of members", async () => {
    const first = await start(maria, "agents/assistant", "one");
    const second = await start(maria, "teams/support-team", "two");
    const third = await maria.settled(await maria.submit("three"));
    const stranger = await start(otto, "agents/assistant", "not hers");
    expect(await idsOf(maria)).toEqual([third.run_id, second.run_id, first.run_id]);
    expect(await idsOf(otto)).toEqual([stranger.run_id]);
    expect(await idsOf(maria, "?user_id=otto")).toEqual([third.run_id, second.run_id, first.run_id]);
    expect((await idsOf(admin)).slice(0, 4)).toEqual([
      stranger.run_id,
      third.run_id,
      second.run_id,
      first.run_id,
    ]);
    expect(await idsOf(admin, "?user_id=otto")).toEqual([stranger.run_id]);
    expect(await idsOf(admin, "?component_type=team")).toEqual([second.run_id]);
    const [row] = await rowsOf(maria);
    expect(row).toMatchObject({
      session_id: third.session_id,
      session_name: "three",
      component_type: "agent",
      component_id: "assistant",
      user_id: "maria",
      status: "COMPLETED",
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      input_preview: "three",
      content_preview: expect.stringContaining("three"),
      total_tokens: expect.any(Number),
      model: expect.any(String),
      attempt: 1,
      queued: true,
    });
    expect(row).not.toHaveProperty("cost");
    expect(row).not.toHaveProperty("error");
  });

  test("follows a run's status: paused, cancelled, failed", async () => {
    const berta = holding("berta", "agents:read", "agents:run");
    const paused = await start(
      berta,
      "agents/refund-desk",
      '[[tool:issue_refund {"order_id":"o-1","amount":5}]]',
    );
    const failed = await start(berta, "agents/assistant", "[[fail:no such luck]]");
    expect(failed.status).toBe("ERROR");
    expect(await idsOf(admin, "?status=paused&user_id=berta")).toEqual([paused.run_id]);
    expect(await idsOf(admin, "?status=PAUSED")).toContain(paused.run_id);
    expect(await idsOf(admin, "?status=PAUSED&status=ERROR")).toEqual(
      expect.arrayContaining([failed.run_id, paused.run_id]),
    );
    const [row] = await rowsOf(admin, "?error_contains=such%20luck");
    expect(row).toMatchObject({ run_id: failed.run_id, error: expect.stringContaining("no such luck") });
    expect(row).not.toHaveProperty("content_preview");
    const at = `/agents/refund-desk/runs/${paused.run_id}/cancel?session_id=${paused.session_id}`;
    expect((await berta.post(at)).status).toBe(200);
    expect(await idsOf(admin, "?status=PAUSED")).not.toContain(paused.run_id);
    expect(await idsOf(admin, "?status=CANCELLED")).toContain(paused.run_id);
    expect(await idsOf(berta, "?status=COMPLETED")).toEqual([]);
  });

  test("a paused run that was continued is no longer among those that rest", async () => {
    const paused = await start(
      maria,
      "agents/refund-desk",
      '[[tool:issue_refund {"order_id":"o-2","amount":5}]]',
    );
    expect(await idsOf(admin, "?status=PAUSED")).toContain(paused.run_id);
    const tools = JSON.stringify(paused.tools.map((call: object) => ({ ...call, confirmed: true })));
    const form = { session_id: paused.session_id, stream: "false", tools };
    expect(
      (await maria.post(`/agents/refund-desk/runs/${paused.run_id}/continue`, { form })).json.status,
    ).toBe("COMPLETED");
    expect(await idsOf(admin, "?status=PAUSED")).not.toContain(paused.run_id);
    expect(await idsOf(maria, "?component_id=refund-desk")).toEqual([paused.run_id]);
  });

  test("pages by a cursor that fits its list alone", async () => {
    const pager = holding("pager", "agents:read", "agents:run");
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) made.push((await start(pager, "agents/assistant", `number ${i}`)).run_id);
    const found: string[] = [];
    let cursor: string | null = "";
    for (let pages = 0; cursor !== null; pages += 1) {
      expect(pages).toBeLessThan(4);
      const { json } = await pager.get(`/runs?limit=2&cursor=${cursor}`);
      expect(json.meta.limit).toBe(2);
      found.push(...json.data.map(({ run_id }: ListedRun) => run_id));
      cursor = json.meta.next_cursor;
    }
    expect(found).toEqual(made.toReversed());
    const { json } = await pager.get("/runs?limit=2");
    const next = json.meta.next_cursor;
    for (const query of [`status=ERROR&cursor=${next}`, "cursor=nonsense", `cursor=${next}x`, "status=odd"]) {
      const { status, json: refusal } = await pager.get(`/runs?${query}`);
      expect({ query, status, refusal }).toMatchObject({
        status: 400,
        refusal: { error_code: "BAD_REQUEST" },
      });
    }
    expect((await pager.get("/runs?limit=101")).status).toBe(422);
    // A cursor of another user's list is a place in time: it shows nothing of that list.
    const { json: others } = await holding("unknown", "agents:read").get(`/runs?limit=2&cursor=${next}`);
    expect(others.data).toEqual([]);
  });

  test("shows the kinds and components that the caller may read, and is refused without any", async () => {
    const carl = holding("carl", "agents:run", "agents:read", "teams:run", "teams:read");
    const agent = await start(carl, "agents/assistant", "hello");
    const desk = await start(carl, "agents/account-desk", "hello");
    const team = await start(carl, "teams/support-team", "hello");
    expect(await idsOf(carl)).toEqual([team.run_id, desk.run_id, agent.run_id]);
    expect(await idsOf(holding("carl", "teams:read"))).toEqual([team.run_id]);
    expect(await idsOf(holding("carl", "agents:account-desk:read"))).toEqual([desk.run_id]);
    const none = await holding("carl", "sessions:read", "agents:run").get("/runs");
    expect(none).toMatchObject({ status: 403, json: { error_code: "UNAUTHORIZED" } });
    expect(none.json.detail).toContain("agents:read or teams:read or workflows:read");
    expect((await holding("carl", "teams:read").get("/runs?component_type=agent")).status).toBe(403);
    const other = await holding("carl", "agents:account-desk:read").get("/runs?component_id=assistant");
    expect(other.status).toBe(403);
    expect((await clientOf(platform.url).get("/runs")).status).toBe(401);
  });

  test("a deleted session's runs are gone at once; a copied session adds none", async () => {
    const dora = holding("dora", "agents:read", "agents:run", "sessions:delete");
    const kept = await start(dora, "agents/assistant", "kept");
    const gone = await start(dora, "agents/assistant", "gone");
    const fork = await dora.post(`/agents/assistant/sessions/${kept.session_id}/fork`);
    expect(fork.status).toBe(200);
    expect((await dora.call("DELETE", `/sessions/${gone.session_id}`)).status).toBe(204);
    expect(await idsOf(dora)).toEqual([kept.run_id]);
    expect(await idsOf(admin, "?user_id=dora")).toEqual([kept.run_id]);
  });

  test("is searched by words, by tool and by what was said about a run: own runs alone, until they are removed", async () => {
    const sara = holding("sara", "agents:read", "agents:run", "sessions:delete");
    const asked = await start(sara, "agents/assistant", "Where is order A-4471?");
    const tool = '[[tool:issue_refund {"order_id":"o-9","amount":5}]]';
    const refund = await start(sara, "agents/refund-desk", tool);
    await start(otto, "agents/assistant", "Where is order A-4471, too?");
    const comment = { session_id: asked.session_id, key: "thumb", score: 0, comment: "Nach Zürich" };
    expect((await sara.post(`/runs/${asked.run_id}/feedback`, { json: comment })).status).toBe(201);
    for (const query of ["q=a-4471", "q=%22order%20A-4471%22", "q=order%20zurich"])
      expect([query, await idsOf(sara, `?${query}`)]).toEqual([query, [asked.run_id]]);
    expect(await idsOf(sara, `?run_id=${asked.run_id}`)).toEqual([asked.run_id]);
    expect(await idsOf(otto, `?run_id=${asked.run_id}`)).toEqual([]);
    expect(await idsOf(sara, "?tool=issue_refund")).toEqual([refund.run_id]);
    expect(await idsOf(admin, "?q=a-4471")).toHaveLength(2);
    expect(await idsOf(admin, "?q=a-4471&user_id=sara")).toEqual([asked.run_id]);
    expect(await idsOf(sara, "?q=a-4471&cost_min=1")).toEqual([]);
    // No judge was asked about these.
    expect(await idsOf(sara, "?verdict=passed")).toEqual([]);
    expect((await sara.get("/runs?verdict=good")).status).toBe(422);
    const { json } = await sara.get("/runs?q=nothing");
    const { created_at } = (await rowsOf(sara)).at(-1) ?? {};
    expect(json).toEqual({
      data: [],
      meta: { next_cursor: null, limit: 20, looked_at: { runs: 2, back_to: created_at } },
    });
    expect((await sara.get(`/runs?q=${"x".repeat(501)}`)).status).toBe(422);
    expect((await sara.call("DELETE", `/sessions/${asked.session_id}`)).status).toBe(204);
    expect(await idsOf(sara, "?q=order%20zurich")).toEqual([]);
  });
});
