import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getSessionMedium } from "../../functions/sessions/get-session-medium.ts";
import { objectName } from "../../shared/stores/objects/spill.ts";
import { manualClock } from "../support/manual-clock.ts";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

test("objects of a session that are no media of its runs are not given: prompts, conversations, checkpoints", async () => {
  const world = queueWorld(stores.db);
  const { session_id } = await world.submit(randomBytes(600_000).toString("hex"));
  await world.deliverAll();
  const names = [...stores.objects.held.keys()].map(objectName);
  expect(names.length).toBeGreaterThan(0);
  const principal = { kind: "user", user_id: "maria", scopes: [], admin: false } as const;
  for (const key of names) {
    const asked = getSessionMedium(
      {
        params: { session_id, key },
        query: { redirect: false },
        body: undefined,
        headers: {},
        principal,
        signal: new AbortController().signal,
        invocation: {},
      },
      { db: stores.db, clock: manualClock(0) },
    );
    await expect(asked).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});
