import type { RunStatus } from "../../../schemas/runs/run.ts";
import type { Db } from "../../db.ts";
import { changedKey, taskKey } from "./task-item.ts";

/**
 * The update that moves a task in its lists when its run changes. Refused when the task was removed with its session.
 *
 * @param now  epoch seconds
 */
export const markTask = (db: Db, runId: string, status: RunStatus, now: number) => ({
  TableName: db.tables.runs,
  Key: taskKey(runId),
  UpdateExpression: "SET #status = :status, changed_at = :now, task_changed = :changed",
  ConditionExpression: "attribute_exists(pk)",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: {
    ":status": status,
    ":now": now,
    ":changed": changedKey(now, runId),
  },
});
