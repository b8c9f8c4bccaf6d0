import * as v from "valibot";
import type { Fault } from "../../../errors.ts";
import type { Registry } from "../../define/registry.ts";
import type { Skill } from "../../skill/skill.ts";
import { skillsOf } from "../../skill/skills-of.ts";
import { type Built, unknownName, unusable } from "./built.ts";
import { childOf, type FindChild } from "./children.ts";
import { ownSkill, type ResolvedSkill } from "./own-skill.ts";

/** A skill, or the folder of a registered one. */
type Resolved = ResolvedSkill<string | Skill>;

/** The skills that a config names among the registered and the stored ones, and those that it holds itself. */
export async function resolveSkills(
  config: unknown,
  { parts }: Registry,
  find: FindChild,
): Promise<Built<readonly (string | Skill)[] | undefined>> {
  if (config === undefined || config === null) return { value: undefined, faults: [] };
  const parsed = v.safeParse(v.array(v.union([v.string(), v.looseObject({})])), config);
  if (!parsed.success) {
    const text = "skills must be a list of names of skills, and of skills as {skill_id} or {name, files}";
    return { value: undefined, faults: [unusable("skills", text)] };
  }
  const registered = skillsOf({ skills: parts?.skills ?? [] });
  const found = await Promise.all(
    parsed.output.map((one, at) => {
      const path = `skills[${at}]`;
      if (typeof one === "string") return namedSkill(one, path, registered);
      const { skill_id: id } = one;
      return typeof id === "string" ? storedSkill(id, `${path}.skill_id`, find) : ownSkill(one, path);
    }),
  );
  return {
    value: found.flatMap(({ skill }) => skill ?? []),
    faults: [...found.flatMap(({ faults }) => faults), ...sameNames(found)],
  };
}

function namedSkill(name: string, path: string, registered: readonly Skill[]): Resolved {
  const skill = registered.find((one) => one.name === name);
  if (skill) return { skill: skill.folder, name, faults: [] };
  return { name, faults: [unknownName(path, `skill ${name} is not registered`)] };
}

/** The version that the config's link holds, else the live one. */
async function storedSkill(id: string, path: string, find: FindChild): Promise<Resolved> {
  const { value, faults } = await childOf(find, "skill", id, path);
  const skill = value?.skill;
  return { ...(skill && { skill }), name: skill?.name ?? id, faults };
}

/** A model names a skill by its name alone. */
const sameNames = (found: readonly Resolved[]): Fault[] =>
  found.flatMap(({ name }, at) =>
    found.findIndex((one) => one.name === name) < at
      ? [unusable(`skills[${at}]`, `there are two skills of the name ${name}`)]
      : [],
  );
