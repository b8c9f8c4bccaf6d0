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
        writeRecord(output, "runs", name, await recordScenario(platform, name, scenario, stored));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  } finally {
    tables.close();
    await platform.stop();
  }
}

/** The name of a scenario's user. */
const nameOf = (scenario: string): string => `compare-${scenario.toLowerCase()}`;
const USER = /(?<![a-z0-9])compare-[a-z0-9]+/g;

/**
 * Plays a scenario.
 *
 * @returns what it recorded
 * @throws  Error when that has a part of another scenario, which would depend on which one comes first
 */
export async function recordScenario(
  platform: Pick<RunningPlatform, "url" | "tokens">,
  scenario: string,
  play: Scenario,
  stored: ReadStored,
): Promise<readonly unknown[]> {
  const name = nameOf(scenario);
  const stage = await openStage(platform, name, stored);
  await play(stage);
  await stage.recordStored();
  const steps = stage.steps();
  const other = JSON.stringify(steps)
    .match(USER)
    ?.find((user) => user !== name);
  if (other !== undefined) throw new Error(`the record of ${name} has something of ${other}`);
  return steps;
}
