import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { EvalCasePlan } from "../../../schemas/evals/eval-plan.ts";
import { batchGet } from "../../batch-get.ts";
import type { Db } from "../../db.ts";
import { unpackJson } from "../../objects/packed.ts";
import { unspillBytes } from "../../objects/unspill.ts";
import { queryPages } from "../../query-pages.ts";
import {
  ALL_DATASETS,
  DatasetCases,
  datasetFrom,
  datasetKey,
  datasetsOf,
  datasetVersionKey,
  type StoredDataset,
  StoredDatasetVersion,
} from "./dataset-item.ts";

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
): Promise<readonly EvalCasePlan[] | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.evals,
      Key: datasetVersionKey(id, version),
      ConsistentRead: true,
    }),
  );
  if (!Item) return undefined;
  const { data } = v.parse(StoredDatasetVersion, Item);
  return v.parse(DatasetCases, await unpackJson(await unspillBytes(db, data)));
}

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
