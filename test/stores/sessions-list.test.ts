import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownerPartition } from "../../shared/stores/index-keys.ts";
import { getTally } from "../../shared/stores/listing/tally.ts";
import { adoptSession } from "../../shared/stores/sessions/adopt-session.ts";
import { listSessions, type SessionsQuery } from "../../shared/stores/sessions/list-sessions.ts";
import { removeSessions } from "../../shared/stores/sessions/remove-sessions.ts";
import { type StoredSession, sessionItem } from "../../shared/stores/sessions/session-item.ts";
import { createSession } from "../../shared/stores/sessions/session-writes.ts";
import { putItems } from "../support/put-items.ts";
import { aSession, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** Whether a call reads the index for a page: it says how many rows, and a count reads what it finds. */
const isOfList = (input: unknown): boolean =>
  Object(input).Limit !== undefined && Object(input).Select === undefined;

/** Sessions of one owner, a second apart, the last one a little before T0. */
async function seed(owner: string, count: number, changed: Partial<StoredSession> = {}) {
  const sessions = Array.from({ length: count }, (_, i) =>
    aSession({ session_id: `${owner}-${i}`, user_id: owner, created_at: T0 - count + i, ...changed }),
  );
  await putItems(stores.db, "sessions", sessions.map(sessionItem));
  return sessions;
}

const list = (owner: string | undefined, now: number, asked: Partial<SessionsQuery> = {}, db = stores.db) =>
  listSessions(
    db,
    {
      owner,
      type: undefined,
      component_id: undefined,
      session_name: undefined,
      page: 1,
      limit: 20,
      sort_by: "created_at",
      sort_order: "desc",
      ...asked,
    },
    now,
  );
const totalOf = async (owner: string, now: number, asked: Partial<SessionsQuery> = {}) =>
  (await list(owner, now, asked)).total;
const tallyOf = (owner: string) => getTally(stores.db, "sessions", ownerPartition(owner));
const countedOf = async (owner: string) =>
  Object.values((await tallyOf(owner)).counts).reduce((sum, n) => sum + n, 0);
const remove = (ids: string[], now: number) => removeSessions(stores.db, ids, () => true, now);
const SETTLED = T0 + 1_000;

test("a session that begins between count and list hides no older one", async () => {
  const [oldest] = await seed("between", 3);
  const begun = aSession({ session_id: "between-new", user_id: "between", created_at: T0 });
  let lists = 0;
  const db = watchedDb(stores.db, {
    before: async (command) => {
      if (!isOfList(command.input) || lists++ > 0) return;
      await createSession(stores.db, begun);
    },
  });
  const found = await list("between", T0, {}, db);
  expect(found.sessions.map(({ session_id }) => session_id)).toEqual([
    "between-new",
    "between-2",
    "between-1",
    oldest?.session_id,
  ]);
  expect(found.total).toBe(4);
});

describe("a count of sessions", () => {
  test("is remembered once it has settled, and goes on from there", async () => {
    await seed("kept", 300);
    expect(await totalOf("kept", T0)).toBe(300);
    expect(await countedOf("kept")).toBe(0);
    expect(await totalOf("kept", SETTLED)).toBe(300);
    expect(await countedOf("kept")).toBe(300);
    await createSession(stores.db, aSession({ user_id: "kept", created_at: SETTLED }));
    expect(await totalOf("kept", SETTLED)).toBe(301);
    expect(await countedOf("kept")).toBe(300);
  });

  test("is not remembered for a few", async () => {
    await seed("few", 20);
    expect(await totalOf("few", SETTLED)).toBe(20);
    expect(await countedOf("few")).toBe(0);
  });

  test("falls with every removal, of sessions that were counted and of others", async () => {
    await seed("falls", 300);
    await totalOf("falls", SETTLED);
    const young = aSession({ session_id: "falls-young", user_id: "falls", created_at: SETTLED });
    await createSession(stores.db, young);
    expect(await remove(["falls-0", "falls-299", "falls-young", "nowhere"], SETTLED)).toHaveLength(3);
    expect(await totalOf("falls", SETTLED)).toBe(298);
    expect(await countedOf("falls")).toBe(298);
    expect(
      (await list("falls", SETTLED, { limit: 100 })).sessions.map((one) => one.session_id),
    ).not.toContain("falls-299");
  });

  test("counts each removal once, however many remove at the same moment", async () => {
    const sessions = await seed("race", 300);
    await totalOf("race", SETTLED);
    const ids = sessions.slice(0, 6).map(({ session_id }) => session_id);
    const removed = await Promise.all([...ids, ...ids].map((id) => remove([id], SETTLED)));
    expect(removed.flat().toSorted()).toEqual(ids.toSorted());
    expect(await totalOf("race", SETTLED)).toBe(294);
  });

  test("is not remembered while a removal may still show in the index", async () => {
    await seed("settling", 300);
    await remove(["settling-7"], SETTLED);
    await totalOf("settling", SETTLED + 60);
    expect(await countedOf("settling")).toBe(0);
    await totalOf("settling", SETTLED + 120);
    expect(await countedOf("settling")).toBe(299);
  });

  test("distinguishes the components, also of a session that got its own later", async () => {
    await seed("sorts", 250);
    await putItems(
      stores.db,
      "sessions",
      [aSession({ session_id: "sorts-open", user_id: "sorts", created_at: T0 - 400 })].map((session) => {
        const { component_id: _none, ...open } = session;
        return sessionItem(open);
      }),
    );
    expect(await totalOf("sorts", SETTLED, { component_id: "assistant" })).toBe(250);
    expect(await countedOf("sorts")).toBe(251);
    const { component_id: _none, ...open } = aSession({
      session_id: "sorts-open",
      user_id: "sorts",
      created_at: T0 - 400,
    });
    expect(await adoptSession(stores.db, open, "assistant", SETTLED)).toMatchObject({
      component_id: "assistant",
    });
    expect(await totalOf("sorts", SETTLED, { component_id: "assistant" })).toBe(251);
    expect(await totalOf("sorts", SETTLED, { component_id: "other" })).toBe(0);
    expect(await totalOf("sorts", SETTLED, { type: "team" })).toBe(0);
  });
});

test("a session is adopted once: whoever comes second sees by whom", async () => {
  const { component_id: _none, ...open } = aSession({ session_id: "adopted", user_id: "adopter" });
  await createSession(stores.db, open);
  const adopters = ["a", "b", "c"].map((id) => adoptSession(stores.db, open, id, T0));
  const seen = (await Promise.all(adopters)).map((session) => session?.component_id);
  expect(new Set(seen).size).toBe(1);
});

test("a list by the last change refuses more sessions than it may read", async () => {
  await seed("wide", 5_001);
  await expect(list("wide", SETTLED, { sort_by: "updated_at" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await expect(list("wide", SETTLED, { sort_by: "session_id" })).resolves.toMatchObject({ total: 5_001 });
});

test("an owner whose name holds the keys' own signs sees their own sessions and no others", async () => {
  await seed("kim", 3);
  await seed("kim#all", 2, { session_type: "team" });
  expect(await totalOf("kim", T0)).toBe(3);
  expect(await totalOf("kim#all", T0)).toBe(2);
  expect(await totalOf("", T0)).toBe(0);
});
