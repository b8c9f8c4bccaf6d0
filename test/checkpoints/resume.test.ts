import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  CHECKPOINT_SHAPE,
  packCheckpoint,
  readCheckpoint,
  unpackCheckpoint,
} from "../../shared/stores/runs/checkpoint.ts";
import { runFrom } from "../../shared/stores/runs/run-item.ts";
import { upgradeCheckpoint } from "../../shared/stores/runs/upgrade-checkpoint.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { type Recorded, readRecorded, recorded, restore, takeRecord } from "./recorded.ts";
import { goOn, type ScenarioName, scenarios } from "./scenarios.ts";

let stores: TestStores;
beforeEach(async () => {
  stores = await startStores();
});
afterEach(() => stores.stop());

describe.each(recorded())("a checkpoint of shape %i, %s", (shape, name) => {
  test("is resumed to the same end as a run in one go", async () => {
    const record = readRecorded(shape, name);
    await restore(stores.db, record);
    const { job, run, events } = await goOn(
      stores.db,
      scenarios[name],
      record,
      Number(record.items.jobs[0]?.locked_at),
    );
    expect(job).toMatchObject({ status: "completed", attempt: 1 });
    expect(run?.output.content).toBe(scenarios[name].content);
    expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)?.event).toMatch(/^(Run|TeamRun|Workflow)Completed$/);
  });
});

describe("the shape of checkpoints", () => {
  const names = Object.keys(scenarios) as ScenarioName[]; // keys of a constant table

  test.each(names)("is raised when %s is kept otherwise than it was recorded", async (name) => {
    const today = await structureOf(stores, await takeRecord(stores.db, name));
    const then = await structureOf(stores, readRecorded(CHECKPOINT_SHAPE, name));
    const advice = "raise CHECKPOINT_SHAPE, write the upgrade, and record: npm run record:checkpoints";
    expect(today, advice).toEqual(then);
  });

  test("is read in the form before it, too", () => {
    const before = CHECKPOINT_SHAPE - 1;
    expect(recorded().map(([shape]) => shape)).toContain(before);
    expect(() => upgradeCheckpoint({ state: {} }, before, CHECKPOINT_SHAPE)).not.toThrow();
  });

  test("of a later release is refused, as an unknown one is", () => {
    const kept = { state: {} };
    expect(() => upgradeCheckpoint(kept, CHECKPOINT_SHAPE + 1, CHECKPOINT_SHAPE)).toThrow("cannot be read");
    expect(() => upgradeCheckpoint(kept, 0, CHECKPOINT_SHAPE)).toThrow("cannot be read");
  });

  test("comes back as it was kept", () => {
    const checkpoint = { state: { messages: ["a"] }, next_index: 3, continues: true };
    expect(unpackCheckpoint(packCheckpoint(checkpoint))).toEqual(checkpoint);
  });
});

/** Where there is what kind of value in a recorded checkpoint, in order: `state.messages[].role: string`. */
async function structureOf({ db }: TestStores, { items, run }: Recorded): Promise<string[]> {
  const item = items.runs.find(({ run_id }) => run_id === run.run_id);
  const checkpoint = item && (await readCheckpoint(db, runFrom(item, 0)));
  return [...new Set(placesIn(checkpoint, ""))].sort();
}

function placesIn(value: unknown, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => placesIn(each, `${at}[]`));
  if (typeof value !== "object" || value === null)
    return [`${at}: ${value === null ? "null" : typeof value}`];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${at}: {}`];
  return entries.flatMap(([name, inner]) => placesIn(inner, at === "" ? name : `${at}.${name}`));
}
