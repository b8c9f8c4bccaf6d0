import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { EvalTrial } from "../../schemas/evals/eval-trial.ts";
import { type Db, queryPages } from "../db.ts";
import { partsPartition, trialSort } from "./eval-item.ts";

/**
 * The recorded trials of an evaluation, by number.
 *
 * @param from  the first number
 * @param to    the number after the last one
 */
export async function listTrials(db: Db, id: string, from: number, to: number): Promise<EvalTrial[]> {
  return (await items(db, id, from, to)).map((item) => v.parse(EvalTrial, item));
}

/** Their numbers alone. */
export async function listTrialNumbers(db: Db, id: string, to: number): Promise<Set<number>> {
  return new Set((await items(db, id, 0, to, "#number")).map((item) => Number(item.number)));
}

async function items(db: Db, id: string, from: number, to: number, only?: "#number"): Promise<Item[]> {
  if (from >= to) return [];
  const pages = queryPages(db, {
    TableName: db.tables.evals,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: {
      ":pk": partsPartition(id),
      ":from": trialSort(from),
      ":to": trialSort(to - 1),
    },
    ...(only && { ProjectionExpression: only, ExpressionAttributeNames: { "#number": "number" } }),
    ConsistentRead: true,
  });
  const found: Item[] = [];
  for await (const { Items = [] } of pages) found.push(...Items);
  return found;
}
