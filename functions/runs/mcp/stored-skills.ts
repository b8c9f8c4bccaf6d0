import { callerOf } from "../../../shared/auth/caller.ts";
import type { Principal } from "../../../shared/auth/principal.ts";
import { readableIds } from "../../../shared/auth/scopes/scopes.ts";
import { audiencesOf, maySee } from "../../../shared/domain/components/audience.ts";
import { buildSkill } from "../../../shared/engine/component/build/build-skill.ts";
import { declaredIn } from "../../../shared/engine/define/registry.ts";
import type { Skill } from "../../../shared/engine/skill/skill.ts";
import { getComponent } from "../../../shared/stores/components/component-item.ts";
import { newestComponents } from "../../../shared/stores/components/list-components.ts";
import { getVersion } from "../../../shared/stores/components/version-item.ts";
import type { McpDeps } from "./mcp-deps.ts";

type Needs = Pick<McpDeps, "db" | "mcp">;

/** Ids of the stored skills that a caller may read, the newest first; drafts, which no client is shown, may be among them. */
export async function storedSkillIds(principal: Principal, { db, mcp }: Needs): Promise<string[]> {
  const ids = readableIds(principal, "skills");
  const components = await newestComponents(db, {
    audiences: audiencesOf(callerOf(principal)),
    type: "skill",
    hidden: declaredIn(mcp.registry).map(({ id }) => id),
  });
  return components.map(({ component_id: id }) => id).filter((id) => ids === "all" || ids.has(id));
}

/** The live version of a stored skill; undefined where there is none for the caller. */
export async function liveSkill(principal: Principal, { db }: Needs, id: string): Promise<Skill | undefined> {
  const component = await getComponent(db, id);
  const { component_type, current_version, deleted_at } = component ?? {};
  if (!component || component_type !== "skill" || deleted_at !== undefined) return undefined;
  if (current_version === undefined || !maySee(callerOf(principal), component)) return undefined;
  const version = await getVersion(db, id, current_version);
  return version && (await buildSkill({ component, version })).value.skill;
}
