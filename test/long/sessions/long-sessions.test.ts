import { afterAll, beforeAll, expect, test } from "vitest";
import { createComponentRun } from "../../../shared/runs/index.ts";
import { newRunId } from "../../../shared/runtime/ids.ts";
import { type RunOutput, runStatuses } from "../../../shared/schemas/runs/run.ts";
import { listRuns } from "../../../shared/stores/runs/listing/list-runs.ts";
import { listRunsBetween, type RunsFilter } from "../../../shared/stores/runs/listing/list-runs-between.ts";
import { runItem, type StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { getSession } from "../../../shared/stores/sessions/session-item.ts";
import { putItems } from "../../support/put-items.ts";
import { queueWorld } from "../../support/queue-world.ts";
import { aJob, aRunOf, T0 } from "../../support/records.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let itemsScanned = 0;
beforeAll(async () => {
  stores = await startStores();
  countScanned(stores);
});
afterAll(() => stores.stop());

const RUNS = 5_000;

function countScanned({ db }: TestStores): void {
  db.client.middlewareStack.add(
    (next) => async (args) => {
      const answered = await next(args);
      itemsScanned += "ScannedCount" in answered.output ? Number(answered.output.ScannedCount) : 0;
      return answered;
    },
    { step: "initialize" },
  );
}

test(`a session with ${RUNS} runs takes one more, which is shown its latest words, and lists as many as fit`, async () => {
  const world = queueWorld(stores.db);
  const first = await world.submit("the first words");
  await world.deliverAll();
  await putItems(stores.db, "runs", earlierRuns(first.session_id));

  const next = await world.submit("one more", { session_id: first.session_id });
  await world.deliverAll();
  const output: RunOutput | undefined = (await world.run(next))?.output;
  expect(output?.status).toBe("COMPLETED");
  const shown = output?.messages?.filter(({ from_history }) => from_history).map(({ content }) => content);
  expect(shown?.slice(-2)).toEqual([`question ${RUNS - 1}`, `answer ${RUNS - 1}`]);

  const show = async ({ run_id }: StoredRun) => ({ value: run_id, bytes: 1_000 });
  const readRuns = async (limits: Pick<RunsFilter, "statuses"> & { limit?: number; maxBytes: number }) => {
    const scanned = itemsScanned;
    const found = await listRunsBetween(stores.db, "maria", first.session_id, { show, ...limits }, T0);
    return { ...found, scanned: itemsScanned - scanned };
  };
  const fitting = await readRuns({ maxBytes: 100_000 });
  expect([fitting.shown.length, fitting.shown.at(-1)]).toEqual([100, next.run_id]);
  expect(fitting.cutAt?.run_id).toBe(fitting.shown[0]);
  const page = await readRuns({ limit: 50, maxBytes: 100_000 });
  expect(page.shown).toEqual(fitting.shown.slice(50));
  expect(page.scanned).toBeLessThanOrEqual(52);
  expect(await readRuns({ limit: 50, maxBytes: 100_000, statuses: new Set(runStatuses) })).toEqual(page);
  expect(await listRuns(stores.db, "maria", first.session_id, T0)).toHaveLength(RUNS + 2);
}, 180_000);

function earlierRuns(session_id: string): Record<string, unknown>[] {
  return Array.from({ length: RUNS }, (_, i) => {
    const run = aRunOf(aJob({ id: newRunId(), session_id }), { status: "COMPLETED", opens_session: false });
    const said = (role: "user" | "assistant", content: string) => ({
      id: `${role}-${i}`,
      role,
      content,
      from_history: false,
      stop_after_tool_call: false,
      created_at: T0,
    });
    const messages = [said("user", `question ${i}`), said("assistant", `answer ${i}`)];
    return runItem({ ...run, output: { ...run.output, status: "COMPLETED", messages } });
  });
}

test("a hundred runs at the same time in one session lose nothing of each other's, and their tokens add up", async () => {
  const world = queueWorld(stores.db, { MAX_FOREGROUND_PER_USER: 0 });
  const opening = await world.submit("opening");
  await world.deliverAll();
  const message = (i: number) => `set ${i}`;
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const form = {
        session_id: opening.session_id,
        background: false,
        session_state: { [`key_${i}`]: i },
      };
      return (await createComponentRun(world.request(message(i), form), world)) as RunOutput; // as it answers without a stream
    }),
  );
  expect(answers.every(({ status }) => status === "COMPLETED")).toBe(true);
  const runs = await listRuns(stores.db, "maria", opening.session_id, T0);
  expect(new Set(runs.map(({ output }) => output.input.input_content))).toEqual(
    new Set(["opening", ...Array.from({ length: 100 }, (_, i) => message(i))]),
  );
  const session = await getSession(stores.db, opening.session_id);
  const tokens = runs.map(({ output }) => output.metrics?.total_tokens ?? 0);
  expect(session?.total_tokens).toBe(tokens.reduce((sum, one) => sum + one, 0));
  for (let i = 0; i < 100; i += 1) expect(session?.session_state[`key_${i}`]).toBe(i);
}, 180_000);
