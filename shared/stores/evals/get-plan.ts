import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { EvalPlan } from "../../schemas/evals/eval-plan.ts";
import type { Db } from "../db.ts";
import { Spilled, unpackJson, unspillBytes } from "../objects/spill.ts";
import { planKey } from "./eval-item.ts";

/** The plan of an evaluation as it is stored: packed. */
const StoredPlan = v.object({ plan: Spilled });

/** The plan of an evaluation; undefined once it is removed. */
export async function getPlan(db: Db, id: string): Promise<EvalPlan | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: planKey(id), ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const { plan } = v.parse(StoredPlan, Item);
  return v.parse(EvalPlan, await unpackJson(await unspillBytes(db, plan)));
}
