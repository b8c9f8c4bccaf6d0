import { startDynamo } from "../../local/dynamodb/dynamo-engine.ts";

/** Environment variable with the address of the engine that the tests of one run share. */
export const SHARED_DYNAMODB = "TEST_DYNAMODB_ENDPOINT";

/** Called by vitest before the first test file: starts one DynamoDB in memory for all of them. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DYNAMODB_ENGINE === "simulated") return undefined;
  const { endpoint, stop } = await startDynamo();
  process.env[SHARED_DYNAMODB] = endpoint;
  return stop;
}
