import { afterAll, beforeAll, expect, test } from "vitest";
import { evalItem, type StoredEval } from "../../shared/stores/evals/eval-item.ts";
import { listEvals } from "../../shared/stores/evals/list-evals.ts";
import { removeEvals } from "../../shared/stores/evals/remove-evals.ts";
import { putItems } from "../support/put-items.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const COUNT = 1_500;
const SETTLED = T0 + 1_000;
const anEval = (i: number, owner: string): StoredEval => ({
  id: `${owner}-${i}`,
  eval_type: i % 3 === 0 ? "accuracy" : "reliability",
  name: null,
  agent_id: "assistant",
  team_id: null,
  evaluated_component_name: "Assistant",
  model_id: "scripted-1",
  model_provider: "Scripted",
  eval_data: {},
  eval_input: {},
  user_id: owner,
  status: "completed",
  error: null,
  cases: 1,
  trials: 1,
  done: 1,
  stalls: 0,
  created_at: T0 - COUNT + i,
  updated_at: T0,
});

const everything = {
  types: undefined,
  kind: undefined,
  agent_id: undefined,
  team_id: undefined,
  model_id: undefined,
};
const asked = (owner: string) =>
  ({ ...everything, owner, page: 1, limit: 20, sort_by: "created_at", sort_order: "desc" }) as const;

test("a page of many evaluations costs the page, and its totals stay exact", async () => {
  const evals = Array.from({ length: COUNT }, (_, i) => anEval(i, "many"));
  await putItems(stores.db, "evals", evals.map(evalItem));
  // Counts what has settled once, and remembers it.
  expect(await listEvals(stores.db, asked("many"), SETTLED)).toMatchObject({ total: COUNT });
  let read = 0;
  const db = watchedDb(stores.db, {
    after: (_, answer) => {
      const { Items, Responses = {} } = answer as {
        Items?: unknown[];
        Responses?: Record<string, unknown[]>;
      };
      read += (Items?.length ?? 0) + Object.values(Responses).flat().length;
    },
  });
  const { evals: page, total } = await listEvals(db, asked("many"), SETTLED);
  expect(page.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => `many-${COUNT - 1 - i}`));
  expect(total).toBe(COUNT);
  expect(read).toBeLessThan(60);
  const accuracy = { ...asked("many"), types: ["accuracy" as const] };
  expect((await listEvals(stores.db, accuracy, SETTLED)).total).toBe(COUNT / 3);
});

test("removed evaluations leave the totals at once", async () => {
  await putItems(
    stores.db,
    "evals",
    Array.from({ length: 300 }, (_, i) => evalItem(anEval(i, "less"))),
  );
  expect((await listEvals(stores.db, asked("less"), SETTLED)).total).toBe(300);
  const removed = await removeEvals(
    stores.db,
    ["less-3", "less-299", "many-1"],
    ({ user_id }) => user_id === "less",
    SETTLED,
  );
  expect(removed).toEqual(["less-3", "less-299"]);
  expect((await listEvals(stores.db, asked("less"), SETTLED)).total).toBe(298);
  const types = ["accuracy" as const];
  expect((await listEvals(stores.db, { ...asked("less"), types }, SETTLED)).total).toBe(99);
});
