import { type ParseProblem, parseSkill } from "./parse-skill.ts";
import { INSTRUCTIONS, type Skill, type SkillTexts } from "./skill.ts";

/** A skill, or what is wrong with its `SKILL.md`. */
type ReadSkill =
  | { readonly skill: Skill; readonly texts: SkillTexts }
  | { readonly problems: readonly ParseProblem[] };

/**
 * Reads a skill from the texts of its folder.
 *
 * @param folder  its path; the last part of it must be the skill's name
 * @param given   texts by their path from the folder, one of them its `SKILL.md`
 */
export function skillOfFiles(folder: string, given: SkillTexts): ReadSkill {
  const named = INSTRUCTIONS in given ? INSTRUCTIONS : "skill.md";
  const { [named]: file, ...others } = given;
  if (file === undefined) return { problems: [{ text: "it is no text in UTF-8" }] };
  const parsed = parseSkill(file, folder.slice(folder.lastIndexOf("/") + 1));
  if ("problems" in parsed) return parsed;
  const { instructions: _, ...properties } = parsed.skill;
  const skill = { folder, ...properties, ...filesOf(Object.keys(others)) };
  return { skill, texts: { ...others, [INSTRUCTIONS]: file } };
}

function filesOf(paths: readonly string[]): Pick<Skill, "scripts" | "references" | "assets"> {
  const sorted = paths.toSorted();
  const below = (folder: string): string[] =>
    sorted.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  return {
    scripts: below("scripts"),
    references: below("references"),
    assets: sorted.filter((path) => !/^(scripts|references)\//.test(path)),
  };
}
