import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import * as v from "valibot";
import { DB_ID } from "../../shared/domain/databases/database.ts";
import { connectMigrationQueue } from "../../shared/queue/migration-queue.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import {
  answerCloudFormation,
  type CustomResourceOutcome,
} from "../../shared/runtime/functions/answer-cloud-formation.ts";
import { connectFunctionVersions } from "../../shared/runtime/functions/function-versions.ts";
import { deploymentEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { recordDeployment } from "../../shared/stores/audit/record-deployment.ts";
import { checkAddress } from "./check-address.ts";

const env = readEnv(deploymentEnv);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);

/** What the resource of the template asks for; `Content` changes when there is something to do. */
const Properties = v.variant("Step", [
  v.object({ Step: v.literal("publish"), FunctionName: v.string(), Content: v.string() }),
  v.object({ Step: v.literal("check"), Address: v.string(), Content: v.string() }),
  v.object({
    Step: v.literal("record"),
    Table: v.string(),
    RetentionDays: v.pipe(v.string(), v.transform(Number)),
    Settings: v.record(v.string(), v.string()),
  }),
  v.object({ Step: v.literal("version"), Queue: v.string() }),
]);
type Properties = v.InferOutput<typeof Properties>;
type Settings = Readonly<Record<string, string>>;

/**
 * Steps of a deployment that no resource type of CloudFormation does. They are done when the stack is made and when it
 * changes, also when a change is rolled back; removing the stack undoes nothing.
 */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  let outcome: CustomResourceOutcome = {};
  try {
    if (event.RequestType !== "Delete")
      outcome = { data: await done(v.parse(Properties, event.ResourceProperties), event) };
  } catch (error) {
    log.error("a step of the deployment failed", { resource: event.LogicalResourceId, error });
    outcome = { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
  await answerCloudFormation(event, event.LogicalResourceId, outcome);
}

/** The settings of before, where this deployment replaces any. */
function replacedBy(event: CloudFormationCustomResourceEvent): Settings | undefined {
  if (event.RequestType !== "Update") return undefined;
  const before = v.safeParse(Properties, event.OldResourceProperties);
  return before.success && before.output.Step === "record" ? before.output.Settings : undefined;
}

/** @returns the attributes of the resource */
async function done(
  step: Properties,
  event: CloudFormationCustomResourceEvent,
): Promise<Readonly<Record<string, string>>> {
  if (step.Step === "record") {
    const { Table, RetentionDays, Settings } = step;
    await recordDeployment({ table: Table, retentionDays: RetentionDays }, replacedBy(event), Settings);
    return {};
  }
  if (step.Step === "version") {
    // The housekeeper decides: it alone may look into every table.
    if (event.RequestType === "Create") await connectMigrationQueue(step.Queue).send({ db_id: DB_ID });
    return {};
  }
  if (step.Step === "check") {
    const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
    await checkAddress(step.Address, { fetch, sleep, now: Date.now });
    return {};
  }
  const version = await connectFunctionVersions(step.FunctionName).publish();
  log.info("published", { function: step.FunctionName, version });
  return { Version: version };
}
