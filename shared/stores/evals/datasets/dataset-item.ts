import * as v from "valibot";
import type { Item } from "../../../data/item.ts";
import { EvalCasePlan } from "../../../schemas/evals/eval-plan.ts";
import { openedKey, ownerPartition } from "../../listing/index-keys.ts";
import { Spilled } from "../../objects/spilled.ts";

/** Versions of the stored shapes; raised with every change of them. */
export const DATASET_SHAPE = 1;
export const DATASET_VERSION_SHAPE = 1;

/** A dataset as it is stored. Each of its versions is an item of its own. */
export const StoredDataset = v.object({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  /** The newest version, counted from 1, and how many cases it has. */
  version: v.number(),
  cases: v.number(),
  /** It was removed and no reader finds it; its versions still have to be purged. Epoch seconds. */
  removed_at: v.optional(v.number()),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
});
export type StoredDataset = v.InferOutput<typeof StoredDataset>;

/** A version as it is stored: its cases are packed, and an object if they are large. */
export const StoredDatasetVersion = v.object({ version: v.number(), cases: v.number(), data: Spilled });

export const DatasetCases = v.array(EvalCasePlan);

/** Ids of datasets differ from those of evaluations: both are named by the messages of one queue. */
const PREFIX = "dataset_";
export const datasetId = (newId: () => string): string => `${PREFIX}${newId()}`;
export const isDatasetId = (id: string): boolean => id.startsWith(PREFIX);

export const datasetKey = (id: string) => ({ pk: `dataset#${id}`, sk: "dataset" });

export const versionsPartition = (id: string): string => `dataset-versions#${id}`;

export const datasetVersionKey = (id: string, version: number) => ({
  pk: versionsPartition(id),
  sk: `version#${String(version).padStart(6, "0")}`,
});

/** The partitions of the table's indexes that list datasets: evaluations are in others. */
export const datasetsOf = (owner: string | null): string => `datasets#${ownerPartition(owner)}`;
export const ALL_DATASETS = "datasets";

export const datasetItem = (record: StoredDataset): Item => ({
  ...datasetKey(record.id),
  ...record,
  owner_key: datasetsOf(record.user_id),
  all_key: ALL_DATASETS,
  opened: openedKey(record.created_at, record.id),
  shape: DATASET_SHAPE,
});

/** @throws when the item is not a dataset of a shape that this code reads */
export const datasetFrom = (item: Item): StoredDataset => v.parse(StoredDataset, item);
