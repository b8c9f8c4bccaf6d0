import { registerHooks } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { asModule } from "../../build/bundles/as-module.ts";
import { REGISTRY_IMPORT } from "../../build/project/project.ts";
import { readSkills } from "../../build/skills/read-skills.ts";
import { testRegistry } from "./test-registry.ts";

// Loaded before everything else: functions that tests call in process host what the platforms of tests host.
const url = pathToFileURL(testRegistry).href;
/** What the build puts in the place of these modules. */
const ofSkills: Readonly<Record<string, () => object>> = {
  "/shared/engine/skill/declared-skills.ts": () => ({
    foundSkills: readSkills(dirname(testRegistry)).skills,
  }),
  "/shared/engine/skill/skill-texts.ts": () => ({ skillTexts: readSkills(dirname(testRegistry)).texts }),
};

registerHooks({
  resolve: (specifier, context, next) => next(specifier === REGISTRY_IMPORT ? url : specifier, context),
  load: (loaded, context, next) => {
    const data = Object.entries(ofSkills).find(([path]) => loaded.endsWith(path))?.[1];
    return data ? { format: "module", source: asModule(data()), shortCircuit: true } : next(loaded, context);
  },
});
