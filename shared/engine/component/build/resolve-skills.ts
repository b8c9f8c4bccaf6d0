import * as v from "valibot";
import type { Registry } from "../../define/registry.ts";
import { skillsOf } from "../../skill/skills-of.ts";
import { type Built, unknownName, unusable } from "./built.ts";

/** The folders of the registered skills that a config names. */
export function resolveSkills(config: unknown, { parts }: Registry): Built<readonly string[] | undefined> {
  if (config === undefined || config === null) return { value: undefined, faults: [] };
  const parsed = v.safeParse(v.array(v.string()), config);
  if (!parsed.success) {
    return { value: undefined, faults: [unusable("skills", "skills must be a list of names of skills")] };
  }
  const registered = skillsOf({ skills: parts?.skills ?? [] });
  const found = parsed.output.map((name, at) => ({
    name,
    at,
    skill: registered.find((one) => one.name === name),
  }));
  return {
    value: found.flatMap(({ skill }) => (skill ? [skill.folder] : [])),
    faults: found
      .filter(({ skill }) => !skill)
      .map(({ name, at }) => unknownName(`skills[${at}]`, `skill ${name} is not registered`)),
  };
}
