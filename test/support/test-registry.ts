import { join } from "node:path";
import { projectOf } from "../../build/project/project.ts";

/**
 * File with the registry of the tests. They do not use `registry/`, which belongs to the owner of the clone and may hold
 * anything.
 */
export const testRegistry: string = join(import.meta.dirname, "registry/index.ts");

/** File with the registry of what only single tests host; a platform with it has the secrets of its tools. */
export const specialRegistry: string = join(import.meta.dirname, "special-registry/index.ts");

/** Functions that no test invokes on a platform with it that is killed. */
export const withoutOnKills: readonly string[] = [
  "a2a",
  "components",
  "eval-worker",
  "evals",
  "memories",
  "runnables",
  "schedules",
];

/** Secrets of its tools, for the tests that are about something else. */
export const specialSecrets = { STRIPE_KEY: "a-key", MAPS_KEY: "a-key" } as const;

/** The platform with the registry of the tests, and where its bundles are. */
export const testProject = projectOf({ registry: testRegistry });
