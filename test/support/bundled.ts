import { ensureBuilt } from "../../build/bundles/build.ts";
import { testRegistry } from "./test-registry.ts";

/**
 * Bundles the functions, with the registry of the tests, while the file that imports this is loaded, which has no time limit.
 * On a new machine that takes as long as it takes, for those who wait for another process to do it as well; the limits of
 * hooks and tests are for what comes after it.
 */
await ensureBuilt({ registry: testRegistry });
