import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzExecutions } from "../support/execution-fuzz.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

// `npm run fuzz:access` is the long campaign.
test("of 600 requests at random none executes what its sender may not run", async () => {
  const { answers, runs } = await fuzzExecutions({ platform, count: 600, seed: 2026 });
  expect(runs).toBeGreaterThan(20);
  for (const name of ["create component", "add version", "run", "schedule", "a2a", "evaluate"]) {
    const statuses = Object.keys(answers[name] ?? {}).map(Number);
    // Some are admitted and some refused, so the requests do not all stop at the same place.
    expect([name, statuses]).toEqual([name, expect.arrayContaining([403])]);
    expect([name, statuses.some((status) => status < 300)]).toEqual([name, true]);
  }
}, 120_000);
