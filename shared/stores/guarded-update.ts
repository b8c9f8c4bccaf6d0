import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Db } from "./db.ts";
import { type Item, pastConflicts } from "./transact.ts";

/** Written, with the item as it is now; or refused, with the item that the condition was checked on. */
export type Updated =
  | { readonly changed: true; readonly item: Item }
  | { readonly changed: false; readonly seen: Item | undefined };

/** An update without the key of its item. */
export type Change = Pick<
  UpdateCommandInput,
  "UpdateExpression" | "ConditionExpression" | "ExpressionAttributeNames" | "ExpressionAttributeValues"
>;

/** One conditional write to one item; a refused one returns what it saw. */
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
