import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { evalItem, type StoredEval } from "./eval-item.ts";
import { evalDue } from "./eval-keys.ts";

/** The entry that writes the evaluation of a run with the run's end, once. It is due at once: no message is sent for it. */
export const putOnlineEval = (db: Db, record: StoredEval): Write => ({
  Put: {
    TableName: db.tables.evals,
    Item: { ...evalItem(record), ...evalDue.attributes(record.id, record.created_at) },
    ConditionExpression: "attribute_not_exists(pk)",
  },
});
