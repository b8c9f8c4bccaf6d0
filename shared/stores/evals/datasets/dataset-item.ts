import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../../data/index.ts";
import { CaseSource } from "../../../schemas/evals/dataset-case.ts";
import { EvalCasePlan } from "../../../schemas/evals/eval-plan.ts";
import { batchGet } from "../../batch-get.ts";
import { type Db, queryPages } from "../../db.ts";
import { openedKey, ownerPartition } from "../../index-keys.ts";
import { Spilled, unpackJson, unspillBytes } from "../../objects/spill.ts";

/** Versions of the stored shapes; raised with every change of them. */
export const DATASET_SHAPE = 2;
export const DATASET_VERSION_SHAPE = 2;

/** A dataset as it is stored. Each of its versions is an item of its own. */
export const StoredDataset = v.object({
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  /** The newest version, counted from 1, and how many cases it has. */
  version: v.number(),
  cases: v.number(),
  /** How often cases were erased: a version that was made of what was read before is not written. */
  erasures: v.optional(v.number()),
  /** It was removed and no reader finds it; its versions still have to be purged. Epoch seconds. */
  removed_at: v.optional(v.number()),
  /** Epoch seconds. */
  created_at: v.number(),
  updated_at: v.number(),
});
export type StoredDataset = v.InferOutput<typeof StoredDataset>;

/** A version as it is stored: its cases are packed, and an object if they are large. */
export const StoredDatasetVersion = v.object({ version: v.number(), cases: v.number(), data: Spilled });

/** A case as it is stored. */
export const StoredCase = v.object({
  ...v.omit(EvalCasePlan, ["id"]).entries,
  id: v.string(),
  tags: v.optional(v.array(v.string())),
  split: v.optional(v.picklist(["train", "test"])),
  source: v.optional(CaseSource),
});
export type StoredCase = v.InferOutput<typeof StoredCase>;

/** In versions of an earlier release cases had no ids: there they are named by their place. */
const DatasetCases = v.pipe(
  v.array(v.object({ ...StoredCase.entries, id: v.optional(v.string()) })),
  v.transform((cases): StoredCase[] =>
    cases.map(({ id, ...one }, at) => ({ id: id ?? `case_${at + 1}`, ...one })),
  ),
);

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
const datasetsOf = (owner: string | null): string => `datasets#${ownerPartition(owner)}`;
const ALL_DATASETS = "datasets";

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

/** A dataset without its cases; undefined for one that is removed. */
export async function getDataset(db: Db, id: string): Promise<StoredDataset | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: datasetKey(id), ConsistentRead: true }),
  );
  const record = Item && datasetFrom(Item);
  return record?.removed_at === undefined ? record : undefined;
}

/** The cases of one version; undefined where there is none with this number. */
export async function getDatasetCases(
  db: Db,
  id: string,
  version: number,
): Promise<readonly StoredCase[] | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.evals,
      Key: datasetVersionKey(id, version),
      ConsistentRead: true,
    }),
  );
  return Item && casesIn(db, v.parse(StoredDatasetVersion, Item));
}

/** The cases of a stored version. @throws ServiceError when its object is missing or damaged */
export const casesIn = async (
  db: Db,
  { data }: v.InferOutput<typeof StoredDatasetVersion>,
): Promise<readonly StoredCase[]> => v.parse(DatasetCases, await unpackJson(await unspillBytes(db, data)));

/** Most datasets that a list finds; there are few, because each is written by a person. */
const LISTED_DATASETS = 5_000;

/**
 * One page of datasets, the newest first, and how many there are.
 *
 * @param owner  undefined for everybody's
 */
export async function listDatasets(
  db: Db,
  owner: string | undefined,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly datasets: StoredDataset[]; readonly total: number }> {
  const ids: string[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.evals,
    IndexName: owner === undefined ? "by_opening" : "by_owner",
    KeyConditionExpression: `${owner === undefined ? "all_key" : "owner_key"} = :partition`,
    ExpressionAttributeValues: { ":partition": owner === undefined ? ALL_DATASETS : datasetsOf(owner) },
    ScanIndexForward: false,
  });
  for await (const { Items = [] } of pages) {
    ids.push(...Items.map(({ id }) => String(id)));
    if (ids.length >= LISTED_DATASETS) break;
  }
  const shown = ids.slice(offset, offset + limit);
  const items = await batchGet(db, db.tables.evals, shown.map(datasetKey));
  const byId = new Map(items.map((item) => [String(item.id), datasetFrom(item)]));
  // The index shows a removed one for a moment.
  const datasets = shown.flatMap((id) => byId.get(id) ?? []).filter((one) => one.removed_at === undefined);
  return { datasets, total: ids.length };
}
