import { absent, isNew, putItem, transact, updateItem, type Write } from "../../../data/index.ts";
import type { EvalCasePlan } from "../../../schemas/evals/eval-plan.ts";
import type { Db } from "../../db.ts";
import { packJson, spillBytes } from "../../objects/spill.ts";
import { evalObjects } from "../eval-item.ts";
import {
  DATASET_VERSION_SHAPE,
  datasetItem,
  datasetKey,
  datasetVersionKey,
  type StoredDataset,
} from "./dataset-item.ts";

/** Writes a dataset with its first version. */
export async function createDataset(
  db: Db,
  record: StoredDataset,
  cases: readonly EvalCasePlan[],
): Promise<void> {
  const version = await putVersion(db, record.id, record.version, cases);
  await transact(db, { dataset: putItem("evals", datasetItem(record)), version });
}

/**
 * Adds a version to a dataset.
 *
 * @param now  epoch seconds
 * @returns    the dataset with it; undefined when another version was added since it was read, or it is gone
 */
export async function addDatasetVersion(
  db: Db,
  seen: StoredDataset,
  cases: readonly EvalCasePlan[],
  now: number,
): Promise<StoredDataset | undefined> {
  const added = { ...seen, version: seen.version + 1, cases: cases.length, updated_at: now };
  const version = await putVersion(db, seen.id, added.version, cases);
  const { written } = await transact(db, {
    dataset: updateItem("evals", datasetKey(seen.id), {
      set: { version: added.version, cases: added.cases, updated_at: now },
      guard: { version: seen.version, removed_at: absent },
    }),
    version,
  });
  return written ? added : undefined;
}

async function putVersion(
  db: Db,
  id: string,
  version: number,
  cases: readonly EvalCasePlan[],
): Promise<Write> {
  const data = await spillBytes(db, evalObjects(id), await packJson(cases));
  const item = { ...datasetVersionKey(id, version), version, cases: cases.length, data };
  return putItem("evals", { ...item, shape: DATASET_VERSION_SHAPE }, isNew);
}
