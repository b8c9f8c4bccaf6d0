import { afterAll, beforeAll, expect, test } from "vitest";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { listInbox, putMessage } from "../../shared/stores/runs/inbox/inbox-item.ts";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

test("a message that is sent before the first model call is in the run, once, and another one is refused at its end", async () => {
  const world = queueWorld(stores.db);
  const accepted = await world.submit("hello");
  const at = { owner: "maria", ...accepted };
  const now = epochSeconds(world.clock);
  const message = (seq: number, message_id: string) => ({
    ...{ seq, message_id, user_id: "maria", created_at: now },
    said: { content: `say ${message_id}`, media: {} },
  });
  expect(await putMessage(stores.db, at, message(1, "one"), now)).toBe("accepted");
  expect(await putMessage(stores.db, at, message(1, "two"), now)).toBe("taken");
  await world.deliver(accepted.run_id);
  const run = await world.run(accepted);
  expect(run?.status).toBe("COMPLETED");
  expect(run?.output.messages?.filter(({ steered }) => steered)).toMatchObject([
    { role: "user", content: "say one", steered: { message_id: "one" } },
  ]);
  expect(await listInbox(stores.db, accepted.run_id)).toMatchObject([{ state: "taken" }]);
  expect(await putMessage(stores.db, at, message(2, "late"), now)).toBe("ended");
});
