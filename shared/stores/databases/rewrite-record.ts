import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";
import { type Item, pastConflicts } from "../transact.ts";

type Change = {
  readonly set?: Item;
  readonly remove?: readonly string[];
  readonly from?: readonly string[];
};

export type Rewritten = {
  readonly changed: boolean;
  /** Write units. */
  readonly units: number;
};

/** So many lost races in a row on one record mean a defect. */
const TRIES = 16;

/**
 * Changes one record by its present content. The write is refused when the attributes that the change was computed
 * from have changed; it is then computed again from the item in the refusal. A record that was removed is not recreated.
 *
 * @param rewrite  undefined for a record that needs no change
 */
export async function rewriteRecord(
  db: Db,
  table: TableName,
  record: Item,
  rewrite: (record: Item) => Change | undefined,
): Promise<Rewritten> {
  let seen = record;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const change = rewrite(seen);
    if (!change) return { changed: false, units: 0 };
    const update = new UpdateCommand({ TableName: db.tables[table], ...changeParams(seen, change) });
    try {
      const { ConsumedCapacity } = await pastConflicts(() => db.client.send(update));
      return { changed: true, units: ConsumedCapacity?.CapacityUnits ?? 1 };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (!error.Item) return { changed: false, units: 1 };
      seen = unmarshall(error.Item);
    }
  }
  throw new Error("a record changes whenever it is to be rewritten");
}

function changeParams(seen: Item, { set = {}, remove = [], from = [] }: Change) {
  const sets = Object.keys(set);
  const touched = [...new Set([...sets, ...remove, ...from])];
  const position = (name: string) => touched.indexOf(name);
  const present = touched.filter((name) => seen[name] !== undefined);
  const conditions = touched.map((name) =>
    seen[name] === undefined
      ? `attribute_not_exists(#a${position(name)})`
      : `#a${position(name)} = :seen${position(name)}`,
  );
  const assignments = sets.map((name) => `#a${position(name)} = :new${position(name)}`);
  const removals = remove.map((name) => `#a${position(name)}`);
  const values = [
    ...present.map((name) => [`:seen${position(name)}`, seen[name]]),
    ...sets.map((name) => [`:new${position(name)}`, set[name]]),
  ];
  return {
    Key: { pk: seen.pk, sk: seen.sk },
    UpdateExpression: [
      ...(assignments.length > 0 ? [`SET ${assignments.join(", ")}`] : []),
      ...(removals.length > 0 ? [`REMOVE ${removals.join(", ")}`] : []),
    ].join(" "),
    ConditionExpression: ["attribute_exists(pk)", ...conditions].join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(touched.map((name) => [`#a${position(name)}`, name])),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    ReturnConsumedCapacity: "TOTAL",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  } satisfies Omit<UpdateCommandInput, "TableName">;
}
