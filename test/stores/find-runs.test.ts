import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunStatus } from "../../shared/schemas/runs/run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { findRuns, PAGE_DEPTH, type RunsQuery } from "../../shared/stores/runs/listing/find-runs.ts";
import { runItem, type StoredRun } from "../../shared/stores/runs/run-item.ts";
import { sessionItem, sessionKey } from "../../shared/stores/sessions/session-item.ts";
import { putItems } from "../support/put-items.ts";
import { aJob, aRunOf, aSessionOf, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const COUNT = 1_200;
const kinds = (["agent", "team", "workflow"] as const).map((component_type) => ({
  component_type,
  ids: "all" as const,
}));

/** Three in a second; every tenth of a rare agent, every fiftieth failed, one in a hundred is Otto's. */
const aRun = (i: number): StoredRun => {
  const owner = i % 100 === 7 ? "otto" : "maria";
  const job = aJob({
    component_id: i % 10 === 0 ? "rare" : "assistant",
    session_id: `session-of-${owner}-${i % 4}`,
    user_id: owner,
    owner,
    created_at: T0 - COUNT + Math.floor(i / 3),
  });
  const status: RunStatus = i % 50 === 0 ? "ERROR" : "COMPLETED";
  const run = aRunOf(job, { status });
  const content = status === "ERROR" ? (i % 100 === 0 ? "throttled by the model" : "boom") : "done";
  return { ...run, output: { ...run.output, status, content } };
};

let stores: TestStores;
let db: Db;
/** The newest first. */
let runs: StoredRun[];
beforeAll(async () => {
  stores = await startStores();
  db = stores.db;
  const made = Array.from({ length: COUNT }, (_, i) => aRun(i));
  runs = made.toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const sessions = new Map(
    made.map((run) => [
      run.session_id,
      aSessionOf(aJob({ session_id: run.session_id, owner: run.owner, user_id: run.owner })),
    ]),
  );
  await putItems(
    db,
    "runs",
    made.map((run) => runItem(run)),
  );
  await putItems(db, "sessions", [...sessions.values()].map(sessionItem));
});
afterAll(() => stores.stop());

const placeOf = ({ output, run_id }: StoredRun): string => `${output.created_at}#${run_id}`;
const ids = (some: readonly { readonly run_id: string }[]) => some.map(({ run_id }) => run_id);
const find = (query: Partial<RunsQuery> = {}) =>
  findRuns(db, { owner: undefined, kinds, limit: 100, ...query }, T0);

async function all(query: Partial<RunsQuery> = {}): Promise<{ found: string[]; pages: number }> {
  const found: string[] = [];
  let after_place: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await find({ ...query, after_place });
    found.push(...ids(page.runs));
    if (page.next_place === undefined) return { found, pages };
    after_place = page.next_place;
  }
}

describe("listing runs over all sessions", () => {
  test("gives each run once, the newest first, page by page", async () => {
    const { found, pages } = await all();
    expect(found).toEqual(ids(runs));
    expect(pages).toBe(COUNT / 100);
  });

  test.each([1, 19, 20, 21])("gives the same by pages of %i", async (limit) => {
    const some = { owner: "otto", limit };
    expect((await all(some)).found).toEqual(ids(runs.filter(({ owner }) => owner === "otto")));
  });

  test("by user, component, kind, status, error and time", async () => {
    const rare = runs.filter(({ component_id }) => component_id === "rare");
    const failed = runs.filter(({ status }) => status === "ERROR");
    const completed = runs.filter(({ status }) => status === "COMPLETED");
    expect((await all({ owner: "otto" })).found).toHaveLength(COUNT / 100);
    expect((await all({ component_id: "rare" })).found).toEqual(ids(rare));
    expect((await all({ kinds: kinds.slice(1) })).found).toEqual([]);
    expect((await all({ statuses: new Set(["ERROR"]) })).found).toEqual(ids(failed));
    expect((await all({ statuses: new Set(["COMPLETED"]) })).found).toEqual(ids(completed));
    expect((await all({ statuses: new Set(["COMPLETED", "ERROR"]) })).found).toEqual(ids(runs));
    const throttled = failed.filter(({ output }) => output.content !== "boom");
    expect((await all({ error_contains: "throttled" })).found).toEqual(ids(throttled));
    expect((await all({ error_contains: "boom", statuses: new Set(["COMPLETED"]) })).found).toEqual([]);
    const [from, to] = [T0 - COUNT + 10, T0 - COUNT + 20];
    const within = runs.filter(({ output }) => output.created_at >= from && output.created_at <= to);
    expect((await all({ created_after: from, created_before: to })).found).toEqual(ids(within));
    expect(within).toHaveLength(33);
    expect((await all({ created_after: to, created_before: from })).found).toEqual([]);
  });

  test("of a caller who may read single components, gives those", async () => {
    const only = [{ component_type: "agent" as const, ids: new Set(["rare"]) }];
    const rare = runs.filter(({ component_id }) => component_id === "rare");
    expect((await all({ kinds: only })).found).toEqual(ids(rare));
  });

  test("a page ends after so many runs, and the next one goes on there", async () => {
    const query = { owner: "maria", statuses: new Set<RunStatus>(["RUNNING"]) };
    const page = await find(query);
    expect(page.runs).toEqual([]);
    expect(page.next_place).toBeDefined();
    expect((await all(query)).pages).toBe(Math.ceil((COUNT * 0.99) / PAGE_DEPTH));
  });

  test("leaves out the runs of a session that is being removed, or is another user's by now", async () => {
    const gone = "session-of-otto-3";
    const own = runs.filter(({ owner }) => owner === "otto");
    expect(own.some(({ session_id }) => session_id === gone)).toBe(true);
    await putItems(db, "sessions", [
      { ...sessionKey(gone), deleted_at: T0, session_id: gone, user_id: "otto" },
    ]);
    const left = ids(own.filter(({ session_id }) => session_id !== gone));
    expect((await all({ owner: "otto" })).found).toEqual(left);
    await putItems(db, "sessions", [
      sessionItem(aSessionOf(aJob({ session_id: gone, owner: "berta", user_id: "berta" }))),
    ]);
    expect((await all({ owner: "otto" })).found).toEqual(left);
  });

  test("a run whose process was lost reads as failed", async () => {
    const lost = aRunOf(aJob({ owner: "lost", user_id: "lost" }), { status: "RUNNING", lease_until: T0 - 1 });
    await putItems(db, "runs", [runItem(lost)]);
    await putItems(db, "sessions", [
      sessionItem(aSessionOf(aJob({ session_id: lost.session_id, owner: "lost", user_id: "lost" }))),
    ]);
    const { runs: found } = await find({ owner: "lost", statuses: new Set(["ERROR"]) });
    expect(found).toMatchObject([
      { status: "ERROR", output: { content: expect.stringContaining("process") } },
    ]);
  });
});
