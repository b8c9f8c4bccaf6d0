import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from "@aws-sdk/lib-dynamodb";
import type { Db } from "./db.ts";

/** The pages of a query, read as they are consumed. DynamoDB decides where a page ends. */
export async function* queryPages(
  db: Db,
  input: QueryCommandInput,
): AsyncGenerator<QueryCommandOutput, undefined> {
  let start: QueryCommandInput["ExclusiveStartKey"];
  do {
    const page: QueryCommandOutput = await db.client.send(
      new QueryCommand({ ...input, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield page;
    start = page.LastEvaluatedKey;
  } while (start);
  return undefined;
}
