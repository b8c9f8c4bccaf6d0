import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { REGISTRY_IMPORT } from "../../build/project/project.ts";
import { testRegistry } from "./test-registry.ts";

// Loaded before everything else: functions that tests call in process host what the platforms of tests host.
const url = pathToFileURL(testRegistry).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === REGISTRY_IMPORT ? url : specifier, context),
});
