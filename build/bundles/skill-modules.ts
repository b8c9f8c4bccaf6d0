import { dirname, join } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { type FoundSkills, readSkills, SKILLS } from "../skills/read-skills.ts";
import { asModule } from "./as-module.ts";
import { pathFrom } from "./path-from.ts";

const index = /\/shared\/engine\/skill\/declared-skills\.[jt]s$/;
const texts = /\/shared\/engine\/skill\/skill-texts\.[jt]s$/;

export type SkillModules = {
  readonly plugin: Plugin;
  /** The files of the skills, and their folder, where the bundle has them in it; it is stale when any of it changes. */
  readonly inputs: () => Metafile["inputs"];
};

/** Puts the skills beside a registry into a bundle: the list where it is declared, the texts into a file that is loaded later. */
export function skillModules(root: string, registry: string): SkillModules {
  const inputs: Metafile["inputs"] = {};
  const home = dirname(registry);
  let found: FoundSkills | undefined;
  /** The list and the texts come from one reading. */
  const read = (): FoundSkills => {
    if (found) return found;
    found = readSkills(home);
    Object.assign(inputs, skillInputs(root, home, found));
    return found;
  };
  const plugin: Plugin = {
    name: "skills",
    setup({ onLoad }) {
      onLoad({ filter: index }, () => {
        return { contents: asModule({ foundSkills: read().skills }), loader: "js" };
      });
      onLoad({ filter: texts }, () => ({ contents: asModule({ skillTexts: read().texts }), loader: "js" }));
    },
  };
  return { plugin, inputs: () => inputs };
}

/** What was read for the skills below a folder: the files and the folder itself. */
export const skillInputs = (root: string, home: string, { files }: FoundSkills): Metafile["inputs"] =>
  Object.fromEntries(
    [...files, `${join(home, SKILLS)}/`].map((path) => [
      pathFrom(root, path) + (path.endsWith("/") ? "/" : ""),
      { bytes: 0, imports: [] },
    ]),
  );
