import { recordRoutes } from "./record-routes.ts";
import { type RunningPlatform, startRunningPlatform } from "./running-platform.ts";
import { scenarios } from "./scenarios/index.ts";
import { openStage, type Scenario } from "./stage.ts";
import { openStoredItems, type ReadStored } from "./stored-items.ts";
import { readStoredObjects } from "./stored-objects.ts";
import { writeRecord } from "./write-record.ts";

/** What is recorded depends on these. No run but the one that is meant to may reach the daily limit. */
const settings = {
  TRACING: "on",
  DAILY_TOKENS_PER_USER: "300000",
  MODEL_PRICES: '{"scripted":{"input_per_million":1,"output_per_million":10}}',
};

/** Scenarios that are played at once: most of their time they wait until nothing changes any more. */
const LANES = 3;

/**
 * Starts the platform of a side and records what it answers, tells and stores.
 *
 * @param folder   top of the side's sources
 * @param dataDir  where the platform may keep its state
 * @param output   takes a file for each scenario, in folders by kind
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
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [name, scenario] = next;
        writeRecord(output, "runs", name, await play(platform, name, scenario, stored));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    tables.close();
    await platform.stop();
  }
}

async function play(
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
