import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { functionNames } from "../../build/project/function-names.ts";
import { type Project, projectOf } from "../../build/project/project.ts";
import { testProject } from "./test-registry.ts";

const own = projectOf({ root: testProject.root });

/**
 * What each bundle of the tests is made of, by the name of its function. A bundle without a registry in it may have been taken
 * over from those of the platform's own registry, where its list stayed.
 */
export function testMetafiles(): Readonly<Record<string, Metafile>> {
  return Object.fromEntries(
    functionNames(testProject.root).map((name) => {
      const listOf = ({ dist }: Project) => join(dist, `${name}.meta.json`);
      const list = existsSync(listOf(testProject)) ? listOf(testProject) : listOf(own);
      return [name, JSON.parse(readFileSync(list, "utf8"))];
    }),
  );
}
