import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { HANGS_AFTER_MS } from "./test/support/hangs-after.ts";
import { LongestFirst } from "./test/support/tiers/longest-first.ts";
import { filesOf, type Tier, tierOf } from "./test/support/tiers/tiers.ts";

/** They load modules that take their settings once, or load other test files: each has a process of its own. */
const alone = [
  "test/auth/truth-table.test.ts",
  "test/http/families.test.ts",
  "test/long/simulation/table.test.ts",
];

/** Only `npm run grants` asks which function a call is for. */
const grants = process.env.GRANTS_RECORD ? ["scripts/grants/in-process-witness.ts"] : [];

/** The files of one tier. Those that share a process load their modules once, and start a platform once. */
function projectsOf(tier: Tier): TestProjectInlineConfiguration[] {
  const { include, exclude } = filesOf(tier);
  return [
    {
      extends: true,
      test: {
        name: `${tier}, alone`,
        include: alone.filter((path) => tierOf(path) === tier),
        isolate: true,
      },
    },
    {
      extends: true,
      test: { name: tier, include, exclude: [...exclude, ...alone], isolate: grants.length > 0 },
    },
  ];
}

export default defineConfig({
  test: {
    pool: "forks",
    // Node loads the modules, and strips their types. With Vite's transformation the suite takes a fifth more processor time.
    experimental: { viteModuleRunner: false },
    execArgv: ["--import", "./test/support/host-test-registry.ts"],
    setupFiles: ["test/support/restore-environment.ts", "test/support/tiers/measure-file.ts", ...grants],
    globalSetup: [
      "test/support/temporary-folder.ts",
      "test/support/shared-dynamodb.ts",
      "test/support/tiers/limit-files.ts",
    ],
    // Many tests wait for a worker, a lock or a timer; four share two processors well; with six, what waits for a moment waits too long.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Limits for what hangs; a busy machine takes several times as long as a quiet one.
    testTimeout: 2 * HANGS_AFTER_MS,
    hookTimeout: 3 * HANGS_AFTER_MS,
    expect: { poll: { timeout: HANGS_AFTER_MS } },
    projects: [...projectsOf("quick"), ...projectsOf("long")],
  },
});
