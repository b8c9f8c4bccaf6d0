import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addDatasetVersion,
  createDataset,
  createEval,
  eraseCasesOf,
  getDataset,
  getDatasetCases,
  getEvalHead,
  noteSources,
  type StoredDataset,
  type StoredEval,
  sourceKey,
} from "../../shared/stores/evals/index.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const NOW = 1_800_000_000;
const origin = { owner: "maria", session_id: "hers" };
const source_key = sourceKey(origin);
const taken = { id: "case_1", input: "what she said", source_key };
const plain = { id: "case_0", input: "hello" };

async function aDataset(id: string, cases: readonly (typeof plain)[]): Promise<StoredDataset> {
  const record = {
    ...{ id, name: "d", description: null, user_id: null, version: 1, cases: cases.length },
    ...{ created_at: NOW, updated_at: NOW },
  };
  await createDataset(stores.db, record, cases);
  return record;
}

const evaluation = (id: string, dataset_id: string): StoredEval => ({
  ...{ id, eval_type: "reliability", name: null, agent_id: "assistant", team_id: null, dataset_id },
  ...{ evaluated_component_name: null, model_id: null, model_provider: null, eval_data: {}, eval_input: {} },
  ...{ user_id: null, status: "running", error: null, cases: 1, trials: 1, done: 0, stalls: 0 },
  ...{ created_at: NOW, updated_at: NOW },
});
const plan = {
  ...{ cases: [taken], num_iterations: 1, warmup_runs: 0, scoring_strategy: "binary" as const },
  ...{ allow_additional_tool_calls: false, threshold: 7 },
};

test("a version that was made before its session was removed is not written after", async () => {
  const seen = await aDataset("dataset_a", [plain]);
  await noteSources(stores.db, seen.id, [source_key]);
  await eraseCasesOf(stores.db, origin, NOW);
  expect(await addDatasetVersion(stores.db, seen, [plain, taken], NOW)).toBeUndefined();
  expect(await getDatasetCases(stores.db, seen.id, 2)).toBeUndefined();
  const anew = await getDataset(stores.db, seen.id);
  expect(anew && (await addDatasetVersion(stores.db, anew, [plain], NOW))).toMatchObject({ version: 2 });
});

test("nor is an evaluation of a version that was read before", async () => {
  const seen = await aDataset("dataset_b", [plain, taken]);
  await noteSources(stores.db, seen.id, [source_key]);
  await eraseCasesOf(stores.db, origin, NOW);
  const late = createEval(stores.db, evaluation("eval-b", seen.id), plan, seen);
  await expect(late).rejects.toThrow("erased just now");
  expect(await getEvalHead(stores.db, "eval-b")).toBeUndefined();
  expect(await getDatasetCases(stores.db, seen.id, 1)).toEqual([
    plain,
    { id: "case_1", source_key, erased: true, input: "" },
  ]);
});

test("one that was written before is found, also where it is erased twice", async () => {
  const seen = await aDataset("dataset_c", [plain, taken]);
  await noteSources(stores.db, seen.id, [source_key]);
  await createEval(stores.db, evaluation("eval-c", seen.id), plan, seen);
  for (const _ of [1, 2]) {
    const sessions = await eraseCasesOf(stores.db, origin, NOW);
    expect(sessions.some(({ session_id }) => session_id.includes("eval-c"))).toBe(true);
  }
  expect(await getEvalHead(stores.db, "eval-c")).toMatchObject({ status: "failed" });
});
