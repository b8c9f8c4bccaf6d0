import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { SESSION_DELETED } from "../../domain/sessions/session-deleted.ts";
import type { Db } from "../db.ts";
import { writeIfUnchanged } from "../write-if-unchanged.ts";
import { jobKey } from "./job-keys.ts";

const NOTHING = { input: "", kwargs: {} };

/**
 * Removes what was said from a job that has ended: its payload, and its error where it has one. Its row stays on the
 * list of jobs. A job past its retention is purged too: the table deletes it later. Idempotent.
 */
export async function purgeJob(db: Db, id: string): Promise<void> {
  // What a model or a tool answers is quoted in the error.
  const hadError = await purge(db, id, "attribute_type(#error, :text)", {
    set: ", #error = :gone",
    values: { ":text": "S", ":gone": SESSION_DELETED },
  });
  if (!hadError)
    await purge(db, id, "attribute_exists(pk) AND NOT attribute_type(#error, :text)", {
      set: "",
      values: { ":text": "S" },
    });
}

const purge = (
  db: Db,
  id: string,
  condition: string,
  { set, values }: { readonly set: string; readonly values: Readonly<Record<string, string>> },
): Promise<boolean> =>
  writeIfUnchanged(() =>
    db.client.send(
      new UpdateCommand({
        TableName: db.tables.jobs,
        Key: jobKey(id),
        UpdateExpression: `SET payload = :nothing${set} REMOVE payload_large`,
        ConditionExpression: condition,
        ExpressionAttributeNames: { "#error": "error" },
        ExpressionAttributeValues: { ":nothing": NOTHING, ...values },
      }),
    ),
  );
