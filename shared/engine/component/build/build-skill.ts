import type { Skill } from "../../skill/skill.ts";
import type { StoredVersion } from "./build-settings.ts";
import type { Built } from "./built.ts";
import { ownSkill } from "./own-skill.ts";

/** A stored skill, as the components that name it have it. */
export type StoredSkill = {
  readonly kind: "skill";
  readonly id: string;
  /** Undefined where its files are none of a skill. */
  readonly skill: Skill | undefined;
};

/** The skill that a stored version holds, read as the build reads one beside the registry. */
export async function buildSkill({ component, version }: StoredVersion): Promise<Built<StoredSkill>> {
  const { name = component.name, files } = version.config;
  const { skill, faults } = await ownSkill({ name, files }, "");
  return { value: { kind: "skill", id: component.component_id, skill }, faults };
}
