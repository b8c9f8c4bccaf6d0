import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { evalWork } from "../../shared/stores/evals/eval-work.ts";
import { T0 } from "../support/records.ts";
import { leasedSubjects } from "../support/simulated/leased-work.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const ID = "eval-1";
beforeEach(async () => {
  const Item = leasedSubjects(T0).find(({ table }) => table === "evals")?.item;
  await stores.db.client.send(new PutCommand({ TableName: stores.db.tables.evals, Item }));
});
const claim = (worker: string, now: number) => evalWork.claim(stores.db, ID, worker, now);

test("a claim that is repeated because its answer was lost is the worker's own, and counted once", async () => {
  expect(await claim("a", T0)).toMatchObject({ worker: "a", stalls: 1 });
  expect(await claim("a", T0)).toMatchObject({ worker: "a", stalls: 1 });
});

test("a lease is another worker's once it is over, and the first one writes nothing any more", async () => {
  await claim("a", T0);
  expect(await claim("b", T0 + 60)).toBeUndefined();
  expect(await claim("b", T0 + 61)).toMatchObject({ worker: "b", stalls: 2 });
  expect(await evalWork.renew(stores.db, ID, "a", T0 + 61)).toBe(false);
  const late = await evalWork.release(stores.db, ID, "a", { set: { status: "completed" }, due: null });
  expect(late).toMatchObject({ changed: false, seen: { worker: "b", status: "running" } });
});

test("a claim of what is not there makes no record", async () => {
  expect(await evalWork.claim(stores.db, "eval-2", "a", T0)).toBeUndefined();
  const changed = await evalWork.change(stores.db, "eval-2", { set: { stalls: 0 } }, evalWork.free(T0));
  expect(changed).toEqual({ changed: false, seen: undefined });
});

test("a released record is due when its release says, and is claimed again", async () => {
  await claim("a", T0);
  const ids = async (now: number) =>
    (await evalWork.due(stores.db, now)).map(({ message }) => message.eval_id);
  expect(await ids(T0 + 60)).not.toContain(ID);
  expect(await ids(T0 + 61)).toContain(ID);
  await evalWork.release(stores.db, ID, "a", { set: { stalls: 0 }, due: T0 + 5 });
  expect(await ids(T0 + 4)).not.toContain(ID);
  expect(await ids(T0 + 5)).toContain(ID);
  expect(await claim("b", T0 + 5)).toMatchObject({ worker: "b", stalls: 1 });
});

test("what is due and claimed by no worker is measured by how long it has been due", async () => {
  await claim("a", T0);
  await evalWork.release(stores.db, ID, "a", { set: { stalls: 0 }, due: T0 + 5 });
  const overdue: number[] = [];
  const sweep = (now: number) =>
    evalWork.sweep(stores.db, { send: async () => {} }, now, (seconds) => void overdue.push(seconds));
  expect(await sweep(T0 + 5)).toBe(1);
  expect(await sweep(T0 + 1_205)).toBe(1);
  expect(overdue).toEqual([1_200]);
});

test("whoever takes over a lease that ran out says so, once; a release, a repetition and a live worker do not", async () => {
  const taken: string[] = [];
  const claimed = (worker: string, now: number) =>
    evalWork.claim(stores.db, ID, worker, now, { lapsed: () => void taken.push(worker) });
  await claimed("a", T0);
  await claimed("a", T0);
  await claimed("b", T0 + 30);
  await evalWork.release(stores.db, ID, "a", { due: T0 + 31 });
  await claimed("c", T0 + 31);
  expect(taken).toEqual([]);
  expect(await Promise.all([claimed("d", T0 + 100), claimed("e", T0 + 100)])).toContain(undefined);
  expect(taken).toHaveLength(1);
});
