import type { Target } from "../../../domain/components/link-targets.ts";
import type { ComponentType } from "../../../schemas/components/component.ts";
import { getComponent } from "../../../stores/components/get-component.ts";
import { getVersion } from "../../../stores/components/get-version.ts";
import type { Db } from "../../../stores/db.ts";
import { declaredIn } from "../../define/declared.ts";
import type { Runnable } from "../../define/runnable.ts";
import { buildAgent } from "./build-agent.ts";
import type { Parts, StoredVersion } from "./build-settings.ts";
import { buildTeam } from "./build-team.ts";
import { buildWorkflow } from "./build-workflow.ts";
import type { Built } from "./built.ts";
import type { FindChild } from "./children.ts";

/** Most levels of nested components; deeper nesting is a cycle that the links do not show. */
const MAX_DEPTH = 10;

type BuildOptions = {
  /** Told of everything that the component contains, at every level, before it is looked up. */
  readonly onChild?: (child: Target) => void;
  /** Levels above it. */
  readonly depth?: number;
};

/**
 * Builds the runnable of a stored version. Its config is data that names registered parts and other components; none of
 * it is code.
 *
 * @returns what could be built, and an error for everything that could not be found
 * @source contract, components-and-platform A7, A8
 */
export async function buildComponent(
  stored: StoredVersion,
  parts: Parts,
  db: Db,
  { onChild = () => {}, depth = 0 }: BuildOptions = {},
): Promise<Built<Runnable>> {
  const find: FindChild = (type, id) => {
    onChild({ type, id });
    return findChild(type, id, stored, parts, db, { onChild, depth: depth + 1 });
  };
  switch (stored.component.component_type) {
    case "agent":
      return buildAgent(stored, parts);
    case "team":
      return buildTeam(stored, parts, find);
    case "workflow":
      return buildWorkflow(stored, parts, find);
  }
}

async function findChild(
  type: ComponentType,
  id: string,
  parent: StoredVersion,
  parts: Parts,
  db: Db,
  options: Required<BuildOptions>,
): Promise<Built<Runnable | undefined>> {
  const declared = parts.registry[`${type}s`].find((one) => one.id === id);
  if (declared) return { value: declared, errors: [] };
  if (declaredIn(parts.registry).some((one) => one.id === id)) return { value: undefined, errors: [] };
  if (options.depth > MAX_DEPTH) return { value: undefined, errors: ["components hold each other too deep"] };
  const component = await getComponent(db, id);
  const number = parent.version.links.find((link) => link.child_component_id === id)?.child_version;
  const wanted = number ?? component?.current_version;
  const version = wanted === undefined ? undefined : await getVersion(db, id, wanted);
  if (!component || !version) return { value: undefined, errors: [] };
  return buildComponent({ component, version }, parts, db, options);
}
