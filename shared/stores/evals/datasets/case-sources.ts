import { createHash } from "node:crypto";
import { putItem, updateItem, type Write, write } from "../../../data/index.ts";
import { DAY_SECONDS } from "../../../domain/utc-day.ts";
import type { EvalCasePlan } from "../../../schemas/evals/eval-plan.ts";
import { type Db, queryPages } from "../../db.ts";
import { inBatches } from "../../in-batches.ts";

/** Notes that are written at the same time. */
const AT_A_TIME = 16;

/** The session that cases were taken from. */
export type CaseOrigin = { readonly owner: string | null; readonly session_id: string };

/** How a copy names the session that it goes with. */
export const sourceKey = ({ owner, session_id }: CaseOrigin): string =>
  createHash("sha256")
    .update(JSON.stringify([owner, session_id]))
    .digest("hex")
    .slice(0, 32);

const sourcePartition = (source_key: string): string => `case-source#${source_key}`;

/**
 * Notes that a dataset has cases of some sessions. It is written before they are, so that no copy is without it; a note
 * without a copy changes nothing.
 */
export const noteSources = (db: Db, dataset_id: string, source_keys: Iterable<string>): Promise<void> =>
  inBatches(
    [...new Set(source_keys)].map((key) => putItem("evals", { pk: sourcePartition(key), sk: dataset_id })),
    1,
    async (notes) => {
      for (const note of notes) await write(db, note);
    },
    AT_A_TIME,
  );

/** The datasets that have, or had, cases of a session. */
export async function datasetsOf(db: Db, source_key: string): Promise<string[]> {
  return sortKeys(db, sourcePartition(source_key));
}

/** A note goes some time after the session: what was read before its removal may be written for a moment. @param now epoch seconds */
export async function expireSource(
  db: Db,
  source_key: string,
  dataset_id: string,
  now: number,
): Promise<void> {
  const key = { pk: sourcePartition(source_key), sk: dataset_id };
  await write(db, updateItem("evals", key, { set: { expires_at: now + DAY_SECONDS } }));
}

/** Where the evaluations are noted that have cases of a dataset in their plans which may be erased. */
export const datasetEvalKey = (dataset_id: string, id: string) => ({
  pk: `dataset-evals#${dataset_id}`,
  sk: id,
});

/** The write that notes an evaluation. */
export const noteDatasetEval = (dataset_id: string, id: string): Write =>
  putItem("evals", datasetEvalKey(dataset_id, id));

/** Ids of those evaluations. */
export const evalsWithCasesOf = (db: Db, dataset_id: string): Promise<string[]> =>
  sortKeys(db, datasetEvalKey(dataset_id, "").pk);

async function sortKeys(db: Db, pk: string): Promise<string[]> {
  const keys: string[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.evals,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) keys.push(...Items.map(({ sk }) => String(sk)));
  return keys;
}

/** What is left of a case: nothing but its id, and by which removal it went. */
export const erasedCase = <Case extends Pick<EvalCasePlan, "id" | "source_key">>({
  id,
  source_key,
}: Case) => ({
  id: id as Case["id"],
  source_key,
  erased: true as const,
  input: "",
});
