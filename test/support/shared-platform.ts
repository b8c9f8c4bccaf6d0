import { test as base } from "vitest";
import { type RunningPlatform, startPlatform, type TestPlatform } from "./platform.ts";
import { sharedByFiles } from "./tiers/processor-time.ts";

/**
 * `test` for files that share one platform with default settings. The first file of a process that asks for it starts it,
 * and it is stopped when the process ends. A file takes it in a hook:
 *
 *   test.beforeAll(({ platform: shared }) => { platform = shared; });
 *
 * Other files have left users, runs and schedules in it. So a test looks only at what it has made itself, and uses names
 * of its own where it lists or counts. What changes the platform as a whole needs a platform of its own: settings, the
 * clock of schedules, the whole queue, totals of an operator.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures one needs
  .extend("process", { scope: "worker" }, async ({}, { onCleanup }): Promise<TestPlatform> => {
    const platform = await sharedByFiles(() => startPlatform());
    onCleanup(platform.stop);
    return platform;
  })
  .extend("platform", { scope: "file" }, async ({ process }, { onCleanup }): Promise<RunningPlatform> => {
    onCleanup(() => {
      process.faults.clear();
      process.refuseLeaks();
    });
    return process;
  });
