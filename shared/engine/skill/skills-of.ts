import { foundSkills } from "./declared-skills.ts";
import type { Skill } from "./skill.ts";

/** The part of an agent's settings that names skills. */
export type SkillSettings = {
  /**
   * Folders of skills in the open format (`SKILL.md`), or of several, from the folder of the registry: `./skills/refunds`,
   * `./skills`. See docs/guide/skills.md. Stored components bring skills of their own along.
   */
  readonly skills?: readonly (string | Skill)[];
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
  const named = skills.flatMap((one) => (typeof one === "string" ? skillsIn(one) : [one]));
  return [...new Set(named)].sort((a, b) => (a.name < b.name ? -1 : 1));
}
