import type { StoredVersion } from "./build-settings.ts";
import type { Built } from "./built.ts";
import { ownSkill, type StoredSkill } from "./own-skill.ts";

/** The skill that a stored version holds, read as the build reads one beside the registry. */
export async function buildSkill({ component, version }: StoredVersion): Promise<Built<StoredSkill>> {
  const { name = component.name, files } = version.config;
  const { skill, faults } = await ownSkill({ name, files }, "");
  return { value: { kind: "skill", id: component.component_id, skill }, faults };
}
