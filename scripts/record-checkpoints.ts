import { existsSync } from "node:fs";
import { join } from "node:path";
import { CHECKPOINT_SHAPE } from "../shared/stores/runs/checkpoint.ts";
import { takeRecord, writeRecorded } from "../test/checkpoints/recorded.ts";
import { type ScenarioName, scenarios } from "../test/checkpoints/scenarios.ts";
import { startStores } from "../test/support/stores.ts";

/*
 * Records the checkpoint that the current code saves of a suspended run: the tests of later releases resume from it. To
 * be run once for each shape of checkpoints; existing records stay as they are.
 */
const recorded = join(import.meta.dirname, "..", "test", "checkpoints", "recorded");
for (const name of Object.keys(scenarios) as ScenarioName[]) {
  if (existsSync(join(recorded, `shape-${CHECKPOINT_SHAPE}`, `${name}.json`))) continue;
  const stores = await startStores();
  try {
    writeRecorded(name, await takeRecord(stores.db, name));
    console.log(`recorded ${name}, shape ${CHECKPOINT_SHAPE}`);
  } finally {
    await stores.stop();
  }
}
