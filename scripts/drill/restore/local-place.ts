import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import type { Cloud } from "../../../local/cloud.ts";
import type { RestorePlace } from "../../../package/recovery/restore-stage.ts";
import { forEachTable, tableVariable } from "../../../shared/settings/table-env.ts";

/** A platform of this machine as `restore` and `copy` reach a stage. Its queues need no switch: functions that do not start leave them alone. */
export function localPlace(
  { model, lambda }: Pick<Cloud, "model" | "lambda">,
  endpoints: { readonly dynamo: string; readonly operator: string },
  say: (line: string) => void,
  stage = "local",
): RestorePlace {
  const shared = {
    region: "us-east-1",
    credentials: { accessKeyId: "LOCAL", secretAccessKey: "local" },
    requestHandler: { requestTimeout: 600_000 },
  };
  const { functions, buckets } = model;
  const named = (label: string): string => functions.find((one) => one.label === label)?.name ?? "";
  const tables = forEachTable(
    (name) => functions.flatMap(({ environment }) => environment[tableVariable[name]] ?? [])[0] ?? "",
  );
  const isIdle = () => functions.every(({ name }) => lambda.running(name) === 0);
  return {
    resources: {
      stage,
      region: "us-east-1",
      tables,
      bucket: buckets[0] ?? "",
      hasVectorBucket: false,
      functions: functions.map(({ name }) => name),
      mappings: [],
      sweeper: named("Sweeper"),
      scheduleReconcile: named("ScheduleReconcile"),
    },
    dynamo: new DynamoDBClient({ ...shared, endpoint: endpoints.dynamo }),
    s3: new S3Client({ ...shared, endpoint: endpoints.operator, forcePathStyle: true }),
    lambda: new LambdaClient({ ...shared, endpoint: endpoints.operator }),
    // Here it can be seen when what ran has ended.
    sleep: async (ms) => {
      for (const until = Date.now() + ms; Date.now() < until && !isIdle(); ) await pause(50);
    },
    now: Date.now,
    say,
  };
}

/** The names of the entries that the scheduler of a platform has. @param dataDir its folder */
export function entriesIn(dataDir: string): string[] {
  const db = new DatabaseSync(join(dataDir, "scheduler.db"), { readOnly: true });
  try {
    return db
      .prepare("SELECT name FROM entries ORDER BY name")
      .all()
      .map(({ name }) => String(name));
  } finally {
    db.close();
  }
}
