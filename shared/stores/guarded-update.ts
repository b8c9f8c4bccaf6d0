import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Db } from "./db.ts";
import { type Item, pastConflicts } from "./transact.ts";

/** Written, and the item as it is now; or refused, and the item that the condition met. */
export type Updated =
  | { readonly changed: true; readonly item: Item }
  | { readonly changed: false; readonly seen: Item | undefined };

/** What an update says beside the item that it is about. */
export type Change = Pick<
  UpdateCommandInput,
  "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/** One conditional write to one item; a refused one tells what it met. */
export async function guardedUpdate(
  db: Db,
  update: Change & Pick<UpdateCommandInput, "TableName" | "Key">,
): Promise<Updated> {
  const command = new UpdateCommand({
    ...update,
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    const { Attributes } = await pastConflicts(() => db.client.send(command));
    return { changed: true, item: Attributes ?? {} };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The document client leaves this Item in attribute form ({ S: … }), so it is converted here.
    return { changed: false, seen: error.Item && unmarshall(error.Item) };
  }
}
