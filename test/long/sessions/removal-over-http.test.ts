import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type Stored, type StoreView, viewStores } from "../../support/stored.ts";

let platform: TestPlatform;
let view: StoreView;
let maria: Client;
let otto: Client;
let admin: Client;
const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:write", "sessions:delete"];
beforeAll(async () => {
  platform = await startPlatform();
  view = viewStores(platform);
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  view.close();
  await platform.stop();
});

const remove = (id: string, client = maria) => client.call("DELETE", `/sessions/${id}`);
const removeMany = (json?: object, client = maria) => client.call("DELETE", "/sessions", json && { json });

/** Waits until the tables are as they should be. */
async function until(holds: (stored: Stored) => boolean): Promise<Stored> {
  return expect.poll(view.read, { interval: 50 }).toSatisfy(holds).then(view.read);
}
const mentions = (stored: Stored, text: string): boolean => JSON.stringify(stored).includes(text);

describe("deleting a session", () => {
  test("answers 204, and it is gone at once for every reader; again answers 204", async () => {
    const run = (await maria.run("hello", { session_id: "gone" })).json;
    const { status, text } = await remove("gone");
    expect([status, text]).toEqual([204, ""]);
    for (const client of [maria, admin]) {
      for (const path of [
        "/sessions/gone",
        "/sessions/gone/runs",
        `/sessions/gone/runs/${run.run_id}`,
        `/agents/assistant/runs/${run.run_id}?session_id=gone`,
        "/agents/assistant/runs?session_id=gone",
      ]) {
        expect((await client.get(path)).status, path).toBe(404);
      }
    }
    expect((await maria.get("/sessions?component_id=assistant")).json.data).toEqual([]);
    expect((await remove("gone")).status).toBe(204);
  });

  test("that is unknown or another user's answers 204 and deletes nothing", async () => {
    await maria.post("/sessions", { json: { session_id: "hers" } });
    expect((await remove("nowhere")).status).toBe(204);
    expect((await remove("hers", otto)).status).toBe(204);
    expect((await remove("hers?user_id=otto", admin)).status).toBe(204);
    expect((await maria.get("/sessions/hers")).status).toBe(200);
    expect((await remove("hers?user_id=maria", admin)).status).toBe(204);
    expect((await maria.get("/sessions/hers")).status).toBe(404);
  });

  test("leaves nothing of what was said: no run, no event, no payload of a job", async () => {
    const session_id = "secretive";
    await maria.run("swordfish in the foreground [[tokens:300]]", { session_id });
    const queued = await maria.submit("swordfish in the background", { session_id });
    await maria.settled(queued);
    expect(mentions(await view.read(), "swordfish")).toBe(true);
    await remove(session_id);
    const stored = await until((now) => !mentions(now, "swordfish"));
    expect(stored.runs.filter((item) => String(item.pk).includes(session_id))).toEqual([]);
    expect(stored.runs.filter(({ pk }) => pk === `run#${queued.run_id}`)).toEqual([]);
    expect(stored.jobs).toContainEqual(
      expect.objectContaining({ id: queued.run_id, payload: { input: "", kwargs: {} } }),
    );
  });

  test("cancels the run that is executed in it, which ends without bringing anything back", async () => {
    const session_id = "busy";
    const run = await maria.submit("wait [[sleep:20000]]", { session_id });
    await expect.poll(async () => (await maria.poll(run)).json.status).toBe("RUNNING");
    await remove(session_id);
    const stored = await until(({ runs }) => runs.every(({ pk }) => !String(pk).includes(session_id)));
    expect(stored.jobs.find(({ id }) => id === run.run_id)).toMatchObject({ status: "cancelled" });
    expect(stored.sessions.find((item) => item.session_id === session_id)).not.toHaveProperty(
      "session_state",
    );
    expect((await maria.get(`/sessions/${session_id}`)).status).toBe(404);
  });

  test("frees its id: the next session of that name begins anew", async () => {
    const session_id = "reused";
    await maria.run("first life", { session_id });
    await remove(session_id);
    await until(({ runs }) => runs.every(({ pk }) => !String(pk).includes(session_id)));
    const again = await expect
      .poll(() => otto.run("second life", { session_id }))
      .toMatchObject({ status: 200 })
      .then(() => otto.get(`/sessions/${session_id}`));
    expect(again.json).toMatchObject({ user_id: "otto", session_name: "second life" });
    expect((await otto.get(`/sessions/${session_id}/runs`)).json).toHaveLength(1);
    expect((await maria.get(`/sessions/${session_id}`)).status).toBe(404);
  });
});

describe("deleting several sessions", () => {
  const both = { session_ids: ["b-1", "b-2"], session_types: ["agent", "team"] };
  test("deletes by id, whatever the types, and leaves those of others", async () => {
    for (const session_id of ["b-1", "b-2"]) await maria.post("/sessions", { json: { session_id } });
    await otto.post("/sessions", { json: { session_id: "b-3" } });
    const asked = { session_ids: [...both.session_ids, "b-3"], session_types: ["agent", "team", "agent"] };
    expect((await removeMany(asked)).status).toBe(204);
    expect((await maria.get("/sessions/b-1")).status).toBe(404);
    expect((await maria.get("/sessions/b-2")).status).toBe(404);
    expect((await otto.get("/sessions/b-3")).status).toBe(200);
  });

  test("that are unknown answers 204", async () => {
    expect((await removeMany(both)).status).toBe(204);
    expect((await removeMany({ session_ids: ["x", "x"], session_types: ["agent", "agent"] })).status).toBe(
      204,
    );
  });

  test.each([
    ["lists of different lengths", 400, { ...both, session_types: ["agent"] }],
    ["empty lists", 422, { session_ids: [], session_types: [] }],
    ["a bad type", 422, { ...both, session_types: ["agent", "crew"] }],
    ["no body", 422, undefined],
  ])("with %s answers %i", async (_what, status, json) => {
    expect((await removeMany(json)).status).toBe(status);
  });

  test("deletes a hundred at once, and the totals follow", async () => {
    const ids = Array.from({ length: 100 }, (_, i) => `many-${i}`);
    await Promise.all(ids.map((session_id) => otto.post("/sessions", { json: { session_id } })));
    const total = async () => (await otto.get("/sessions?limit=1")).json.meta.total_count;
    const before = await total();
    const session_types = ids.map(() => "agent");
    expect((await removeMany({ session_ids: ids, session_types }, otto)).status).toBe(204);
    expect(await total()).toBe(before - 100);
  });
});
