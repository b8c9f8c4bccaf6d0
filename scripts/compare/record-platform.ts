import { recordRoutes } from "./record-routes.ts";
import { type RunningPlatform, startRunningPlatform } from "./running-platform.ts";
import { scenarios } from "./scenarios/index.ts";
import { openStage, type Scenario } from "./stage.ts";
import { openStoredItems, type ReadStored } from "./stored-items.ts";
import { readStoredObjects } from "./stored-objects.ts";
import { writeRecord } from "./write-record.ts";

/** The record depends on these settings. Only the `budget` scenario may reach the daily limit. */
const settings = {
  TRACING: "on",
  DAILY_TOKENS_PER_USER: "300000",
  MODEL_PRICES: '{"scripted":{"input_per_million":1,"output_per_million":10}}',
};

/** Scenarios that run at once. Most of the time a scenario waits until nothing changes any more. */
const CONCURRENCY = 3;

/**
 * Starts the platform of a side and records its responses, its events and what it stores.
 *
 * @param folder   top of the side's sources
 * @param dataDir  folder for the platform's state
 * @param output   receives a file for each scenario, in folders by kind
 */
export async function recordPlatform(folder: string, dataDir: string, output: string): Promise<void> {
  const platform = await startRunningPlatform(folder, dataDir, settings);
  const tables = openStoredItems(platform.dynamoEndpoint);
  const stored: ReadStored = async (isWanted) => [
    ...(await tables.read(isWanted)),
    ...(await readStoredObjects(dataDir, isWanted)),
  ];
  try {
    await recordRoutes(platform, output);
    const waiting = Object.entries(scenarios);
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [name, scenario] = next;
        writeRecord(output, "runs", name, await runScenario(platform, name, scenario, stored));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  } finally {
    tables.close();
    await platform.stop();
  }
}

async function runScenario(
  platform: RunningPlatform,
  name: string,
  scenario: Scenario,
  stored: ReadStored,
): Promise<unknown> {
  const stage = await openStage(platform, `compare-${name.toLowerCase()}`, stored);
  await scenario(stage);
  await stage.recordStored();
  return stage.steps();
}
