import { join } from "node:path";
import { projectOf } from "../../build/project/project.ts";

/**
 * File with the registry of the tests. They do not use `registry/`, which belongs to the owner of the clone and may hold
 * anything.
 */
export const testRegistry: string = join(import.meta.dirname, "registry/index.ts");

/** File with the registry of what only single tests host; a platform with it has the secrets of its tools. */
export const specialRegistry: string = join(import.meta.dirname, "special-registry/index.ts");

/** Functions with a registry in them, each of which takes seconds to bundle. */
const withRegistry = [
  "a2a",
  "components",
  "config",
  "eval-worker",
  "evals",
  "memories",
  "platform",
  "runnables",
  "runs",
  "schedules",
  "sessions",
  "worker",
] as const;

/** Those that are not bundled for a test, which invokes the named ones alone. */
export const allBut = (...invoked: readonly (typeof withRegistry)[number][]): readonly string[] =>
  withRegistry.filter((name) => !invoked.includes(name));

/** For a platform with the special registry that is killed. */
export const withoutOnKills: readonly string[] = allBut("config", "platform", "runs", "sessions", "worker");

/** Secrets of its tools, for the tests that are about something else. */
export const specialSecrets = { STRIPE_KEY: "a-key", MAPS_KEY: "a-key" } as const;

/** The platform with the registry of the tests, and where its bundles are. */
export const testProject = projectOf({ registry: testRegistry });
