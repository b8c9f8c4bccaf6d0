import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableName } from "../settings/table-env.ts";

/** What a write needs of a connection. */
export type Connection = {
  readonly client: Pick<DynamoDBDocumentClient, "send">;
  readonly tables: Readonly<Record<TableName, string>>;
};
