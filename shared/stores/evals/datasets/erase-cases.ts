import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { absent, type Item, updateItem, write } from "../../../data/index.ts";
import { type Db, queryPages } from "../../db.ts";
import { retryUntilWritten } from "../../retry-until-written.ts";
import { eraseInEval } from "../erase-in-eval.ts";
import {
  type CaseOrigin,
  datasetsOf,
  erasedCase,
  evalsWithCasesOf,
  expireSource,
  sourceKey,
} from "./case-sources.ts";
import { packedCases } from "./create-dataset.ts";
import {
  casesIn,
  datasetFrom,
  datasetKey,
  type StoredCase,
  StoredDatasetVersion,
  versionsPartition,
} from "./dataset-item.ts";
import { removeStale, replacePacked } from "./replace-packed.ts";

/**
 * Erases the cases that were taken from a removed session: in every version of every dataset, and in the evaluations that have
 * them in their plans. It may be repeated at any time, and continues where it stopped.
 *
 * @param now  epoch seconds
 * @returns    the sessions of trials in which such a case was asked: they are to be removed as well
 */
export async function eraseCasesOf(db: Db, origin: CaseOrigin, now: number): Promise<CaseOrigin[]> {
  const source_key = sourceKey(origin);
  const sessions: CaseOrigin[] = [];
  for (const dataset_id of await datasetsOf(db, source_key)) {
    await retryUntilWritten(
      () => eraseInDataset(db, dataset_id, source_key),
      () => new Error(`dataset ${dataset_id} changes all the time`),
    );
    for (const id of await evalsWithCasesOf(db, dataset_id)) {
      sessions.push(...(await eraseInEval(db, id, source_key, now)));
    }
    await expireSource(db, source_key, dataset_id, now);
  }
  return sessions;
}

/**
 * A version or a plan that is being made of what was read before is refused by the count of erasures, also where nothing was erased yet;
 * one that was made meanwhile has another try find it.
 *
 * @returns undefined after a lost race
 */
async function eraseInDataset(db: Db, id: string, source_key: string): Promise<true | undefined> {
  const key = datasetKey(id);
  const { Item: head } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: key, ConsistentRead: true }),
  );
  for await (const item of versionsOf(db, id)) {
    const cases = await casesIn(db, v.parse(StoredDatasetVersion, item));
    const its = cases.filter((one) => one.source_key === source_key);
    if (its.length === 0) continue;
    if (its.every(({ erased }) => erased)) await removeStale(db, item);
    else if (!(await eraseInVersion(db, item, cases, source_key))) return undefined;
  }
  if (!head || datasetFrom(head).removed_at !== undefined) return true;
  const { version } = datasetFrom(head);
  const erased = updateItem("evals", key, { add: { erasures: 1 }, guard: { version, removed_at: absent } });
  return (await write(db, erased)).written ? true : undefined;
}

type VersionItem = Item & { readonly pk: string; readonly sk: string };

async function* versionsOf(db: Db, id: string): AsyncGenerator<VersionItem, undefined> {
  const pages = queryPages(db, {
    TableName: db.tables.evals,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": versionsPartition(id) },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages)
    yield* Items.map((item) => ({ ...item, pk: String(item.pk), sk: String(item.sk) }));
  return undefined;
}

function eraseInVersion(
  db: Db,
  item: VersionItem,
  cases: readonly StoredCase[],
  source_key: string,
): Promise<true | undefined> {
  const left = cases.map((one) => (one.source_key === source_key ? erasedCase(one) : one));
  const { version } = v.parse(StoredDatasetVersion, item);
  const id = item.pk.slice(versionsPartition("").length);
  return replacePacked(db, item, "data", () => packedCases(db, id, version, left));
}
