import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import type { RunAddress } from "./run-address.ts";
import { runKey } from "./run-keys.ts";

/** The entry that marks a completed run as replaced by another answer; it then no longer counts as history. */
export const replaceRun = (db: Db, at: RunAddress): Write => ({
  Update: {
    TableName: db.tables.runs,
    Key: runKey(at.owner, at.session_id, at.run_id),
    UpdateExpression: "SET #status = :regenerated",
    ConditionExpression: "#status = :completed",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":regenerated": "REGENERATED", ":completed": "COMPLETED" },
  },
});
