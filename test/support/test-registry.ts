import { join } from "node:path";
import { projectOf } from "../../build/project/project.ts";

/**
 * File with the registry of the tests. They do not use `registry/`, which belongs to the owner of the clone and may hold
 * anything.
 */
export const testRegistry: string = join(import.meta.dirname, "registry/index.ts");

/** The platform with that registry, and where its bundles are. */
export const testProject = projectOf({ registry: testRegistry });
