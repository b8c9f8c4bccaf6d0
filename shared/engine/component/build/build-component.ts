import type { Target } from "../../../domain/components/link-targets.ts";
import type { Fault } from "../../../errors.ts";
import type { ComponentType } from "../../../schemas/components/component.ts";
import { getComponent } from "../../../stores/components/component-item.ts";
import { getVersion } from "../../../stores/components/version-item.ts";
import type { Db } from "../../../stores/db.ts";
import { type Agent, defineAgent } from "../../define/agent.ts";
import { declaredIn } from "../../define/registry.ts";
import { buildSettings, type Parts, type StoredVersion } from "./build-settings.ts";
import { buildSkill } from "./build-skill.ts";
import { buildTeam } from "./build-team.ts";
import { buildWorkflow } from "./build-workflow.ts";
import { type Built, unusable } from "./built.ts";
import type { BuiltComponent, FindChild } from "./children.ts";

/** Most levels of nested components. */
const MAX_DEPTH = 10;

type BuildOptions = {
  /** Called with everything that the component contains, at every level, before it is looked up. */
  readonly onChild?: (child: Target) => void;
  /** Ids of the components above it, the outermost first. */
  readonly above?: readonly string[];
};

/**
 * Builds the runnable, or the skill, of a stored version. Its config is data that names registered parts and other components; none of
 * it is code.
 *
 * @returns what could be built, and a fault for everything that could not be found
 * @source docs/interface/components.md 6.2
 */
export async function buildComponent(
  stored: StoredVersion,
  parts: Parts,
  db: Db,
  { onChild = () => {}, above = [] }: BuildOptions = {},
): Promise<Built<BuiltComponent>> {
  const found = new Map<string, ReturnType<FindChild>>();
  // A config may name a component many times; it is read once.
  const find: FindChild = (type, id) => {
    const name = `${type} ${id}`;
    const known = found.get(name);
    if (known) return known;
    onChild({ type, id });
    const looked = findChild(type, id, stored, parts, db, {
      onChild,
      above: [...above, stored.component.component_id],
    });
    found.set(name, looked);
    return looked;
  };
  switch (stored.component.component_type) {
    case "agent":
      return buildAgent(stored, parts, find);
    case "team":
      return buildTeam(stored, parts, find);
    case "workflow":
      return buildWorkflow(stored, parts, find);
    case "skill":
      return buildSkill(stored);
  }
}

async function findChild(
  type: ComponentType,
  id: string,
  parent: StoredVersion,
  parts: Parts,
  db: Db,
  options: Required<BuildOptions>,
): Promise<Built<BuiltComponent | undefined>> {
  const declared = type === "skill" ? undefined : parts.registry[`${type}s`].find((one) => one.id === id);
  if (declared) return { value: declared, faults: [] };
  if (declaredIn(parts.registry).some((one) => one.id === id)) return { value: undefined, faults: [] };
  // The live version of a child may lead back, although no links do.
  if (options.above.includes(id)) return { value: undefined, faults: [circle(id, options.above)] };
  if (options.above.length > MAX_DEPTH)
    return { value: undefined, faults: [unusable("", "components hold each other too deep")] };
  const component = await getComponent(db, id);
  const number = parent.version.links.find((link) => link.child_component_id === id)?.child_version;
  const wanted = number ?? component?.current_version;
  const version = wanted === undefined ? undefined : await getVersion(db, id, wanted);
  if (!component || !version) return { value: undefined, faults: [] };
  return buildComponent({ component, version }, parts, db, options);
}

const circle = (id: string, above: readonly string[]): Fault => ({
  path: "",
  message: `it would hold itself: ${[...above.slice(above.indexOf(id)), id].join(", ")}`,
  error_code: "CONFLICT",
});

/** The agent that a stored version describes. */
async function buildAgent(stored: StoredVersion, parts: Parts, find: FindChild): Promise<Built<Agent>> {
  const { value, faults } = await buildSettings(stored, parts, find);
  return { value: defineAgent(value), faults };
}
