import { foundSkills } from "./declared-skills.ts";
import type { Skill } from "./skill.ts";

/** The part of an agent's settings that names skills. */
export type SkillSettings = {
  /**
   * Folders of skills in the open format (`SKILL.md`), or of several, from the folder of the registry: `./skills/refunds`,
   * `./skills`. See docs/guide/skills.md.
   */
  readonly skills?: readonly string[];
};

/** Whether a path, as the build lists it, is a folder that settings name, or is below it. */
export function isIn(folder: string, path: string): boolean {
  const named = folder.replace(/^\.\//, "").replace(/\/+$/, "");
  return path === named || path.startsWith(`${named}/`);
}

/**
 * The skills in a folder: the one that it is, or all below it. Empty where there is none.
 *
 * @param found  those that are in this bundle when absent
 */
export const skillsIn = (folder: string, found: readonly Skill[] = foundSkills): readonly Skill[] =>
  found.filter((skill) => isIn(folder, skill.folder));

/** The skills that settings name, each once, sorted by name: the order in which a model is always shown them. */
export function skillsOf({ skills = [] }: SkillSettings): readonly Skill[] {
  return [...new Set(skills.flatMap((folder) => skillsIn(folder)))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}
