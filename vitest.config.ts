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
  "test/flows/door-matrix.test.ts",
  "test/console/accessible.test.ts",
  "test/faults/kill.test.ts",
  "test/client/runs.test.ts",
  "test/a2a/over-http.test.ts",
  "test/faults/stores/knowledge.test.ts",
  "test/console/playground.test.ts",
  "test/scripts/destroy.test.ts",
  "test/flows/tool-rights-over-http.test.ts",
  "test/simulation/simulation.test.ts",
  "test/knowledge/poison.test.ts",
  "test/console/runs.test.ts",
  "test/flows/pinned-runs-over-http.test.ts",
  "test/knowledge/sources-over-http.test.ts",
  "test/flows/shares-over-http.test.ts",
  "test/local/replaced-demo.test.ts",
  "test/flows/starting-ways.test.ts",
  "test/infra/settings-file.test.ts",
  "test/faults/stores/evals.test.ts",
  "test/console/pauses.test.ts",
  "test/webhooks/telegram-flows.test.ts",
  "test/console/knowledge.test.ts",
  "test/webhooks/dying-chat-workers.test.ts",
  "test/faults/stopped-workers.test.ts",
  "test/faults/stores/runs.test.ts",
  "test/flows/two-users.test.ts",
  "test/flows/queue-over-http.test.ts",
  "test/client/client.test.ts",
  "test/local/main.test.ts",
  "test/faults/tool-effects.test.ts",
  "test/flows/large-values.test.ts",
  "test/console/approvals.test.ts",
  "test/console/queue.test.ts",
  "test/local/shared-threads.test.ts",
  "test/components/races.test.ts",
  "test/flows/runs-over-http.test.ts",
  "test/console/components.test.ts",
  "test/local/hot-reload.test.ts",
  "test/console/walk.test.ts",
  "test/local/event-source.test.ts",
  "test/client/retries.test.ts",
  "test/package/template.test.ts",
  "test/knowledge/dying-workers.test.ts",
  "test/faults/schedule-crash.test.ts",
  "test/console/metrics-and-system.test.ts",
  "test/console/evaluations.test.ts",
  "test/local/synthesizers.test.ts",
  "test/console/sessions.test.ts",
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
    // Node loads the modules, and strips their types. With Vite's transformation the suite takes a fifth more processor time.
    experimental: { viteModuleRunner: false },
    execArgv: ["--import", "./test/support/host-test-registry.ts"],
    setupFiles: ["test/support/restore-environment.ts", ...grants],
    sequence: { sequencer: SlowestFirst },
    globalSetup: ["test/support/shared-dynamodb.ts"],
    // Many tests wait for a worker, a lock or a timer; four share two processors well; with six, what waits for a moment waits too long.
    maxWorkers: 4,
    // Limits for what hangs; a busy machine takes several times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
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
