import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { TableName } from "../../runtime/table-env.ts";
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

/** Somebody who changes a record this often at the very moments at which it is rewritten is a defect. */
const TRIES = 16;

/**
 * Changes one record as its present content asks for. The write is refused when what the change was made from is no
 * longer so; it is made anew then from what the refusal shows. A record that was removed meanwhile stays away.
 *
 * @param rewrite  undefined for a record that is as it should be
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
  const place = (name: string) => touched.indexOf(name);
  const held = touched.filter((name) => seen[name] !== undefined);
  const conditions = touched.map((name) =>
    seen[name] === undefined
      ? `attribute_not_exists(#a${place(name)})`
      : `#a${place(name)} = :seen${place(name)}`,
  );
  const assignments = sets.map((name) => `#a${place(name)} = :new${place(name)}`);
  const removals = remove.map((name) => `#a${place(name)}`);
  const values = [
    ...held.map((name) => [`:seen${place(name)}`, seen[name]]),
    ...sets.map((name) => [`:new${place(name)}`, set[name]]),
  ];
  return {
    Key: { pk: seen.pk, sk: seen.sk },
    UpdateExpression: [
      ...(assignments.length > 0 ? [`SET ${assignments.join(", ")}`] : []),
      ...(removals.length > 0 ? [`REMOVE ${removals.join(", ")}`] : []),
    ].join(" "),
    ConditionExpression: ["attribute_exists(pk)", ...conditions].join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(touched.map((name) => [`#a${place(name)}`, name])),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    ReturnConsumedCapacity: "TOTAL",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  } satisfies Omit<UpdateCommandInput, "TableName">;
}
