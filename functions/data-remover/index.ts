import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import { createLog } from "../../shared/runtime/create-log.ts";
import {
  answerCloudFormation,
  type CustomResourceOutcome,
} from "../../shared/runtime/functions/answer-cloud-formation.ts";
import { dataRemoverEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { removeIndexes } from "../../shared/stores/knowledge/remove-indexes.ts";
import { emptyBucket } from "../../shared/stores/objects/empty-bucket.ts";

const env = readEnv(dataRemoverEnv);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);

/**
 * Empties the buckets of its stage when their stack is deleted: CloudFormation deletes none that holds anything. It is part
 * of stages whose data is disposable, and reaches their buckets alone.
 */
export async function handler(event: CloudFormationCustomResourceEvent): Promise<void> {
  let outcome: CustomResourceOutcome = {};
  try {
    if (event.RequestType === "Delete") await empty();
  } catch (error) {
    log.error("the data of the stage could not be removed", { error });
    outcome = { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
  // Under another id CloudFormation would delete what has the one before, and with it the data.
  await answerCloudFormation(event, "data-remover", outcome);
}

async function empty(): Promise<void> {
  await emptyBucket(env.OBJECTS_BUCKET);
  if (env.VECTOR_BUCKET !== undefined) await removeIndexes(env.VECTOR_BUCKET);
  log.info("the data of the stage is removed");
}
