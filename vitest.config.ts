import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They load modules that take their settings once, or load other test files: each has a process of its own. */
const ownProcess = [
  "test/auth/truth-table.test.ts",
  "test/http/families.test.ts",
  "test/simulation/table.test.ts",
];
/** The slowest files, which start first: no worker is left with a long one when the others have ended. */
const slowest = [
  "test/console/accessible.test.ts",
  "test/a2a/over-http.test.ts",
  "test/faults/kill.test.ts",
  "test/client/runs.test.ts",
  "test/flows/door-matrix.test.ts",
  "test/faults/schedule-crash.test.ts",
  "test/registry/rights-over-http.test.ts",
  "test/knowledge/poison.test.ts",
  "test/flows/large-values.test.ts",
  "test/knowledge/sources-over-http.test.ts",
  "test/knowledge/content-over-http.test.ts",
  "test/simulation/simulation.test.ts",
  "test/sessions/long-sessions.test.ts",
  "test/knowledge/dying-workers.test.ts",
  "test/faults/stopped-workers.test.ts",
  "test/faults/stores/knowledge.test.ts",
  "test/faults/stores/runs.test.ts",
  "test/local/main.test.ts",
  "test/local/hot-reload.test.ts",
  "test/flows/shares-over-http.test.ts",
  "test/workflows/large-workflows.test.ts",
  "test/client/client.test.ts",
  "test/webhooks/dying-chat-workers.test.ts",
  "test/webhooks/telegram-flows.test.ts",
  "test/flows/described-answers-over-http.test.ts",
  "test/flows/slices.test.ts",
  "test/flows/pinned-runs-over-http.test.ts",
  "test/flows/starting-ways.test.ts",
  "test/flows/two-users.test.ts",
  "test/flows/execution-fuzz.test.ts",
  "test/sessions/sessions-over-http.test.ts",
];

/** Vitest's order, by the durations of the last run or else by size, behind the slowest. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  if (project.config.isolate) return -1;
  const place = slowest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? slowest.length : place;
}

/** Only `npm run grants` asks which function a call is for. */
const grants = process.env.GRANTS_RECORD ? ["scripts/grants/in-process-witness.ts"] : [];

export default defineConfig({
  test: {
    pool: "forks",
    setupFiles: ["test/support/restore-environment.ts", ...grants],
    sequence: { sequencer: SlowestFirst },
    globalSetup: ["test/support/shared-dynamodb.ts"],
    // Many tests wait for a worker, a lock or a timer; three share two processors well.
    maxWorkers: 3,
    // Limits for what hangs; a busy machine takes several times as long as a quiet one.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: "own process", include: ownProcess, isolate: true } },
      {
        extends: true,
        // The test files of a worker share its process: modules are loaded once, and a platform is started once.
        test: {
          name: "shared process",
          include: ["test/**/*.test.ts"],
          exclude: ownProcess,
          isolate: grants.length > 0,
        },
      },
    ],
  },
});
