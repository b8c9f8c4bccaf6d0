import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { noUsage } from "../../shared/engine/model/usage.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import type { ToolExecution } from "../../shared/schemas/runs/run.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { jobKey, statusShard } from "../../shared/stores/jobs/job-keys.ts";
import { packCheckpoint } from "../../shared/stores/runs/checkpoint.ts";
import { nextEventIndex } from "../../shared/stores/runs/events.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { runKey } from "../../shared/stores/runs/run-keys.ts";

/** Answers each waiting call of a paused run alike and sends its job back to the queue, for one more execution. */
export async function continueJob(
  db: Db,
  job: StoredJob,
  run: StoredRun,
  answer: Partial<ToolExecution>,
): Promise<void> {
  const state: RunState = {
    messages: run.output.messages ?? [],
    tools: (run.output.tools ?? []).map((call) => (call.result === null ? { ...call, ...answer } : call)),
    calls: 0,
    content: "",
    reasoning_content: "",
    usage: noUsage,
    started_at_ms: run.output.created_at * 1000,
    first_token_at_ms: null,
  };
  const next_index = await nextEventIndex(db, run);
  await db.client.send(
    new UpdateCommand({
      TableName: db.tables.runs,
      Key: runKey(run.owner, run.session_id, run.run_id),
      UpdateExpression: "SET checkpoint = :checkpoint",
      ExpressionAttributeValues: { ":checkpoint": packCheckpoint({ state, next_index, continues: true }) },
    }),
  );
  await db.client.send(
    new UpdateCommand({
      TableName: db.tables.jobs,
      Key: jobKey(job.id),
      UpdateExpression:
        "SET #status = :queued, status_shard = :shard, max_attempts = :budget, attempt_ceiling = :budget",
      ConditionExpression: "#status = :paused",
      ExpressionAttributeNames: { "#status": "status" },
      ExpressionAttributeValues: {
        ":queued": "queued",
        ":paused": "paused",
        ":shard": statusShard(db, "queued", job.id),
        ":budget": job.attempt + 1,
      },
    }),
  );
}
