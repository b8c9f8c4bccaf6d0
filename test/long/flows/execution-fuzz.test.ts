import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzExecutions, hadBoth } from "../../support/execution-fuzz/fuzz-executions.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

// `npm run fuzz:access` is the long campaign.
test("of 600 requests at random, or more, none executes what its sender may not run", async () => {
  // Admitted and refused, so the requests do not all stop at the same place.
  const both = ["create component", "add version", "run", "schedule", "a2a", "evaluate"];
  const { answers, runs } = await fuzzExecutions({ platform, count: 600, seed: 2026, both });
  expect(runs).toBeGreaterThan(20);
  for (const name of both) {
    const statuses = answers[name] ?? {};
    expect({ name, statuses, hadBoth: hadBoth(statuses) }).toMatchObject({ name, hadBoth: true });
  }
});
