import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { write } from "../../data/index.ts";
import { differingFacts, recordedFacts } from "../../domain/audit/recorded-facts.ts";
import { forEachTable } from "../../settings/table-env.ts";
import { auditPut } from "./audit-item.ts";

type Settings = Readonly<Record<string, string>>;

/**
 * Records the settings of a deployment: all of the first one, of a further one those that differ.
 *
 * @param at  name of the table, and how long a record is kept
 */
export async function recordDeployment(
  at: { readonly table: string; readonly retentionDays: number },
  before: Settings | undefined,
  after: Settings,
): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const facts = before ? differingFacts(before, after) : { after: recordedFacts(after) ?? {} };
  const record = auditPut(
    { auditRetentionDays: at.retentionDays },
    { operation: "deploySettings", target: {}, ...facts },
  );
  // The function that deploys knows this table alone.
  await write({ client, tables: forEachTable(() => at.table) }, record);
}
