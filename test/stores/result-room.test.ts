import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeSessionData } from "../../functions/housekeeper/removals/session-data.ts";
import { roomOf, storedResultsOf } from "../../shared/stores/runs/stored-results.ts";
import { copySession } from "../../shared/stores/transactions/copy-session.ts";
import { objectsInMemory } from "../support/objects-in-memory.ts";
import { queueWorld } from "../support/queue-world.ts";
import { aJob, aRunOf, aSession } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const sessionOf = (session_id: string, owner: string | null = "maria") => ({ owner, session_id });

describe("the room of a session's stored results", () => {
  test("is 200 MB for all of its runs together, and what does not fit leaves room for what does", async () => {
    const session = sessionOf("room-1");
    const [one, other] = [roomOf(stores.db, session), roomOf(stores.db, session)];
    expect(await one(199_000_000)).toBe(true);
    expect(await other(1_000_001)).toBe(false);
    expect(await other(1_000_000)).toBe(true);
    expect(await one(1)).toBe(false);
    expect(await roomOf(stores.db, sessionOf("room-1", "nora"))(1)).toBe(true);
    expect(await roomOf(stores.db, sessionOf("room-2"))(200_000_001)).toBe(false);
  });

  test("is never given twice, whatever comes at once", async () => {
    const take = roomOf(stores.db, sessionOf("room-3"));
    const given = await Promise.all(Array.from({ length: 30 }, () => take(8_000_000)));
    expect(given.filter((one) => one)).toHaveLength(25);
  });

  test("is taken by bytes, and nothing is written where there is none", async () => {
    const objects = objectsInMemory();
    const session = sessionOf("room-4", null);
    await roomOf(stores.db, session)(200_000_000 - 5);
    const results = storedResultsOf({ objects }, session, roomOf(stores.db, session));
    expect(await results.put("res_0000000001", "ä".repeat(3))).toBe(false);
    expect(objects.asked.put).toBe(0);
    expect(await results.put("res_0000000001", "ä1234")).toBe(false);
    expect(await results.put("res_0000000001", "ä123")).toBe(true);
  });

  test("counts what a copy of the session was given, and is free again once the session is removed", async () => {
    const objects = objectsInMemory();
    const db = { ...stores.db, objects };
    const from = sessionOf("room-5");
    const text = "x".repeat(1_000_000);
    await storedResultsOf({ objects }, from).put("res_0000000005", text);
    const to = aSession({ session_id: "room-6", user_id: "maria" });
    const run = aRunOf(aJob({ session_id: "room-6", user_id: "maria" }), { status: "COMPLETED" });
    const tools = [{ stored_result: { result_id: "res_0000000005" } }];
    await copySession(db, to, [{ ...run, output: Object.assign({}, run.output, { tools }) }], from);
    const copy = sessionOf("room-6");
    expect(await roomOf(db, copy)(199_000_001)).toBe(false);
    expect(await roomOf(db, copy)(199_000_000)).toBe(true);
    const { clock, log, settings } = queueWorld(db);
    await removeSessionData(
      {
        ...{ db, clock, log, settings, removals: { send: async () => {} } },
        removeObjectsOf: async () => {},
      },
      { session_id: "room-6", user_id: "maria", deleted_at: 1 },
    );
    expect(await roomOf(db, copy)(200_000_000)).toBe(true);
  });
});
