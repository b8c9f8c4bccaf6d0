import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import type { StoredEval } from "./eval-item.ts";
import { versionEvalsPartition } from "./eval-keys.ts";
import { readEvals } from "./read-evals.ts";

/**
 * The evaluations of one version of a stored component, the newest first, without their large fields.
 *
 * @param most  how many of the newest at most
 */
export async function listVersionEvals(
  db: Db,
  component_id: string,
  version: number,
  most: number,
): Promise<StoredEval[]> {
  const { Items = [] } = await db.client.send(
    new QueryCommand({
      TableName: db.tables.evals,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": versionEvalsPartition(component_id, version) },
      ScanIndexForward: false,
      Limit: most,
      ConsistentRead: true,
    }),
  );
  return readEvals(
    db,
    Items.map(({ id }) => String(id)),
  );
}
