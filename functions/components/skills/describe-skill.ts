import { buildSkill } from "../../../shared/engine/component/build/build-skill.ts";
import type { ComponentRecord } from "../../../shared/schemas/components/component-record.ts";
import type { SkillResponse } from "../../../shared/schemas/components/skill.ts";
import { isObject } from "../../../shared/schemas/values/json-values.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { liveOrNewest } from "../versions/live-or-newest.ts";

/**
 * A stored skill at its live version, or the newest draft of one that was never published. One whose files are none of a skill
 * has the name and the description of its component.
 *
 * @returns undefined where it has no version
 */
export async function describeSkill(db: Db, component: ComponentRecord): Promise<SkillResponse | undefined> {
  const version = await liveOrNewest(db, component);
  if (!version) return undefined;
  const { skill } = (await buildSkill({ component, version })).value;
  const { files } = version.config;
  const {
    name = component.name,
    description = component.description,
    license,
    compatibility,
    allowed_tools,
    metadata,
  } = skill ?? {};
  return {
    id: component.component_id,
    name,
    ...(description !== undefined && { description }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowed_tools !== undefined && { allowed_tools }),
    ...(metadata !== undefined && { metadata }),
    files: isObject(files) ? Object.keys(files).sort() : [],
    is_component: true,
    current_version: version.version,
    stage: version.stage,
  };
}
