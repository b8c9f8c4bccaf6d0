import { expect, test } from "vitest";
import { drillRestore } from "../../../scripts/drill/restore/restore-drill.ts";

/** Enough that every kind of run is among those of before and after. `npm run drill:restore` does it with 5,000. */
const RUNS = 60;

test("a stage that is taken back to an instant in the middle of its runs is as it was then, and goes on from there", async () => {
  const { findings, restored } = await drillRestore(RUNS, () => {});
  expect(findings.flatMap(({ invariant, broken }) => broken.map((one) => `${invariant}: ${one}`))).toEqual(
    [],
  );
  expect(
    findings.find(({ invariant }) => invariant.startsWith("no run that was accepted"))?.checked,
  ).toBeGreaterThan(0);
  expect(restored.tables.runs?.removed).toBeGreaterThan(0);
}, 300_000);
