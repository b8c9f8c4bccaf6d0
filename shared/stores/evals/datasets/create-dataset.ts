import {
  absent,
  asSeen,
  isNew,
  type Put,
  putItem,
  transact,
  updateItem,
  type Write,
} from "../../../data/index.ts";
import type { Db } from "../../db.ts";
import { packJson, type Spilled, spillBytes } from "../../objects/spill.ts";
import { evalObjects } from "../eval-item.ts";
import {
  DATASET_VERSION_SHAPE,
  datasetItem,
  datasetKey,
  datasetVersionKey,
  type StoredCase,
  type StoredDataset,
} from "./dataset-item.ts";

/** Writes a dataset with its first version. */
export async function createDataset(
  db: Db,
  record: StoredDataset,
  cases: readonly StoredCase[],
): Promise<void> {
  const version = await putVersion(db, record.id, record.version, cases);
  await transact(db, { dataset: putItem("evals", datasetItem(record)), version });
}

/**
 * Adds a version to a dataset.
 *
 * @param now      epoch seconds
 * @param audited  the record of the change, where it is audited
 * @returns        the dataset with it; undefined when another version was added or cases were erased since it was read, or
 *                 it is gone
 */
export async function addDatasetVersion(
  db: Db,
  seen: StoredDataset,
  cases: readonly StoredCase[],
  now: number,
  audited?: Put,
): Promise<StoredDataset | undefined> {
  const added = { ...seen, version: seen.version + 1, cases: cases.length, updated_at: now };
  const version = await putVersion(db, seen.id, added.version, cases);
  const { written } = await transact(db, {
    dataset: updateItem("evals", datasetKey(seen.id), {
      set: { version: added.version, cases: added.cases, updated_at: now },
      guard: { version: seen.version, erasures: asSeen(seen.erasures), removed_at: absent },
    }),
    version,
    audited,
  });
  return written ? added : undefined;
}

async function putVersion(db: Db, id: string, version: number, cases: readonly StoredCase[]): Promise<Write> {
  const data = await packedCases(db, id, version, cases);
  const item = { ...datasetVersionKey(id, version), version, cases: cases.length, data };
  return putItem("evals", { ...item, shape: DATASET_VERSION_SHAPE }, isNew);
}

/** The cases of a version as its item holds them. An object for them is written now, where they are large: its own. */
export const packedCases = async (
  db: Db,
  id: string,
  version: number,
  cases: readonly StoredCase[],
): Promise<Spilled> => spillBytes(db, `${evalObjects(id)}version-${version}/`, await packJson(cases));
