import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, the longest first, as `TEST_SHOW_TIMES=1` shows them. One of them that began last would run
 * alone at the end, while the other processes have nothing to do.
 */
const LONGEST = [
  "test/flows/every-route.test.ts",
  "test/long/package/first-hour.test.ts",
  "test/long/databases/user-data-over-http.test.ts",
  "test/long/faults/kill.test.ts",
  "test/long/flows/credential-matrix.test.ts",
  "test/long/a2a/over-http.test.ts",
  "test/long/recovery/restore-drill.test.ts",
  "test/long/recovery/interrupted-restore.test.ts",
  "test/long/models/cache-over-kills.test.ts",
  "test/long/flows/guarded-ways.test.ts",
  "test/long/models/hostile-models.test.ts",
  "test/long/simulation/simulation.test.ts",
  "test/long/local/synthesizers.test.ts",
  "test/long/scripts/destroy.test.ts",
  "test/long/local/replaced-demo.test.ts",
  "test/long/local/ended-npm.test.ts",
  "test/long/simulation/guards.test.ts",
  "test/long/faults/stopped-workers.test.ts",
  "test/long/knowledge/poison.test.ts",
  "test/long/models/shared-limits.test.ts",
  "test/long/console/accessible.test.ts",
  "test/long/package/testing.test.ts",
  "test/long/flows/two-users.test.ts",
  "test/long/flows/pinned-runs-over-http.test.ts",
  "test/long/sessions/state-over-kills.test.ts",
  "test/long/auth/route-fuzz.test.ts",
  "test/long/simulation/leased-work.test.ts",
];
const placeOf = new Map(LONGEST.map((path, place) => [path, place]));

/** The longest files of each project first. On a fresh clone vitest knows no times, and sorts by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const place = ({ moduleId }: TestSpecification) =>
      placeOf.get(relative(root, moduleId)) ?? LONGEST.length;
    // Projects stay together, in their order: the files of one share processes.
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((of) => of.toSorted((one, other) => place(one) - place(other)));
  }
}
