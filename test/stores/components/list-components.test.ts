import { afterAll, beforeAll, expect, test } from "vitest";
import type { ComponentRecord } from "../../../shared/schemas/components/component-record.ts";
import { componentItem, countKey, countOf } from "../../../shared/stores/components/component-item.ts";
import { listComponents } from "../../../shared/stores/components/list-components.ts";
import { putItems } from "../../support/put-items.ts";
import { startStores, type TestStores } from "../../support/stores.ts";
import { watchedDb } from "../../support/watched-db.ts";

const COUNT = 10_000;
const types = ["agent", "team", "workflow"] as const;
const component = (i: number): ComponentRecord => ({
  component_id: `c-${String(i).padStart(5, "0")}`,
  component_type: types[i % 3] ?? "agent",
  name: `Component ${i}`,
  current_version: 1,
  user_id: `user-${i % 7}`,
  created_at: 1_790_000_000 + i,
  revision: 1,
  next_version: 2,
  living_versions: 1,
  children: [],
});

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
  const all = Array.from({ length: COUNT }, (_, i) => component(i));
  await putItems(stores.db, "components", all.map(componentItem));
  const counts = types.map((type) => [
    countOf("living", type),
    all.filter((one) => one.component_type === type).length,
  ]);
  const places = (["all", "open"] as const).map((counted) => countKey(counted, "of-user"));
  await putItems(
    stores.db,
    "components",
    places.map((key) => ({ ...key, ...Object.fromEntries(counts) })),
  );
});
afterAll(() => stores?.stop());

/** One list, and how many items were read for it. */
async function listed(asked: Partial<Parameters<typeof listComponents>[1]>) {
  let read = 0;
  let calls = 0;
  const count = (_command: unknown, answer: unknown) => {
    calls += 1;
    const { Items = [], Responses = {} } = answer as {
      Items?: unknown[];
      Responses?: Record<string, unknown[]>;
    };
    read += Items.length + Object.values(Responses).flat().length;
  };
  const db = watchedDb(stores.db, { after: count });
  const found = await listComponents(db, {
    audiences: "all",
    type: undefined,
    include_deleted: false,
    hidden: [],
    page: 1,
    limit: 20,
    ...asked,
  });
  return { ...found, read, calls };
}

test("a page of ten thousand components costs that page, whoever asks", async () => {
  for (const audiences of ["all", ["open", "owner#user-3"]] as const) {
    const { components, total, read } = await listed({ audiences });
    expect(components.map(({ component_id }) => component_id)).toEqual(
      Array.from({ length: 20 }, (_, i) => component(COUNT - 1 - i).component_id),
    );
    expect(total).toBe(COUNT);
    // Twenty components, the counts, and of each type the rows that may belong to the page.
    expect(read).toBeLessThanOrEqual(20 + 3 * 21 + 2 * 4);
  }
});

test("a page of one type costs no more, although other types are much newer", async () => {
  const { components, read } = await listed({ type: "team", limit: 5 });
  expect(components.every(({ component_type }) => component_type === "team")).toBe(true);
  expect(read).toBeLessThanOrEqual(5 + 6 + 4);
});

test("a later page goes on where the one before ended", async () => {
  const first = await listed({ limit: 30 });
  const second = await listed({ limit: 10, page: 3 });
  expect(second.components).toEqual(first.components.slice(20));
});

test("ids that are hidden leave neither rows nor counts behind", async () => {
  const newest = component(COUNT - 1);
  const hidden = [newest.component_id, "unknown"];
  const { components, total } = await listed({ hidden, limit: 2 });
  expect(components[0]?.component_id).toBe(component(COUNT - 2).component_id);
  expect([components.length, total]).toEqual([2, COUNT - 1]);
});

test("whom nothing is kept for, one call for each of their audiences shows that", async () => {
  const declared = Array.from({ length: 20 }, (_, i) => `declared-${i}`);
  const found = await listed({
    audiences: ["owner#user-3", "owner#unknown"],
    type: "agent",
    hidden: declared,
  });
  expect(found).toEqual({ components: [], total: 0, read: 0, calls: 2 });
});
