import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { SESSION_DELETED } from "../../../domain/sessions/session-deleted.ts";
import type { ScheduleRunRef } from "../../../schemas/schedules/schedule-run.ts";
import type { Db } from "../../db.ts";
import { writeIfUnchanged } from "../../write-if-unchanged.ts";
import { scheduleRunKey } from "./run-keys.ts";

/**
 * Removes what was said from an attempt whose run is removed: input, output, error, and what a paused run asked. Status,
 * ids and times stay. The revision rises, so that a process that has read the run before writes none of it afterwards.
 * Idempotent.
 */
export async function purgeScheduleRun(db: Db, ref: ScheduleRunRef): Promise<void> {
  const hadError = await purge(db, ref, "attribute_type(#error, :text)", {
    set: ", #error = :gone",
    values: { ":gone": SESSION_DELETED },
  });
  if (!hadError) {
    await purge(db, ref, "attribute_exists(pk) AND NOT attribute_type(#error, :text)", {
      set: "",
      values: {},
    });
  }
}

const purge = (
  db: Db,
  ref: ScheduleRunRef,
  condition: string,
  { set, values }: { readonly set: string; readonly values: Readonly<Record<string, string>> },
): Promise<boolean> =>
  writeIfUnchanged(() =>
    db.client.send(
      new UpdateCommand({
        TableName: db.tables.schedules,
        Key: scheduleRunKey(ref),
        UpdateExpression: `SET #input = :null, #output = :null, requirements = :null${set} REMOVE output_cut ADD revision :one`,
        ConditionExpression: condition,
        ExpressionAttributeNames: { "#input": "input", "#output": "output", "#error": "error" },
        ExpressionAttributeValues: { ":null": null, ":one": 1, ":text": "S", ...values },
      }),
    ),
  );
