import { afterAll, beforeAll, expect, test } from "vitest";
import { recordSent, runOfFeedback } from "../../shared/stores/chats/index.ts";
import { T0 } from "../support/records.ts";
import { readTables } from "../support/stored.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

const number = "15550123456";
const id = "wamid.HBgLMTU1NTAxMjM0NTYVAgARGBI5";
const run_id = "0b8f2c1e-6f57-7b0e-9a55-4c7ad0d5a111";
const target = { platform: "whatsapp" as const, to: number };
const said = { kind: "feedback" as const, about: id, score: 1 as const };

test.each([
  ["with the prefix", `wa:${number}`, `wa:assistant:wa:${number}`],
  ["without one", number, `wa:assistant:${number}:0a1b2c3d`],
  ["in a session of another name", number, "elsewhere"],
])(
  "which run a message comes from is stored without the telephone number, %s",
  async (_, owner, session_id) => {
    const message = { platform: "whatsapp", owner, id } as const;
    await recordSent(stores.db, message, { run_id, session_id }, T0);
    const { chats } = await readTables(stores.db);
    for (const text of [number, id, owner]) expect(JSON.stringify(chats)).not.toContain(text);
    expect(await runOfFeedback(stores.db, { owner, target }, said, T0)).toEqual({
      owner,
      run_id,
      session_id,
    });
    expect(await runOfFeedback(stores.db, { owner: "wa:1", target }, said, T0)).toBeUndefined();
    expect(
      await runOfFeedback(stores.db, { owner, target }, { ...said, about: "wamid.x" }, T0),
    ).toBeUndefined();
  },
);
