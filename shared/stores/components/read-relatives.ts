import {
  MAX_CHILDREN_OF_VERSION,
  type Relative,
  type Relatives,
} from "../../domain/components/check-links.ts";
import type { ComponentLink, VersionRecord } from "../../schemas/components/component-record.ts";
import type { Db } from "../db.ts";
import { getVersions } from "./get-version.ts";
import { readComponents } from "./read-components.ts";

/**
 * Everything that links lead to, directly or indirectly, each version once.
 *
 * It stops at more components than a version may lead to.
 */
export async function readRelatives(db: Db, links: readonly ComponentLink[]): Promise<Relatives> {
  const found = new Map<string, { component: Relative["component"]; versions: Map<number, VersionRecord> }>();
  const seen = new Set<string>();
  for (let next = unseen(links, seen); next.length > 0 && found.size <= MAX_CHILDREN_OF_VERSION; ) {
    await readInto(db, found, next);
    const versions = next.flatMap(
      ({ child_component_id: id, child_version }) => found.get(id)?.versions.get(child_version) ?? [],
    );
    next = unseen(
      versions.flatMap((version) => version.links),
      seen,
    );
  }
  return found;
}

function unseen(links: readonly ComponentLink[], seen: Set<string>): ComponentLink[] {
  return links.filter(({ child_component_id, child_version }) => {
    const name = `${child_version} ${child_component_id}`;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

/** The component is read before its versions: a later change of a version raises the component's revision. */
async function readInto(
  db: Db,
  found: Map<string, { component: Relative["component"]; versions: Map<number, VersionRecord> }>,
  links: readonly ComponentLink[],
): Promise<void> {
  const ids = links.map((link) => link.child_component_id).filter((id) => !found.has(id));
  const components = await readComponents(db, ids);
  for (const id of ids) found.set(id, { component: undefined, versions: new Map() });
  for (const component of components) found.set(component.component_id, { component, versions: new Map() });
  const addresses = links.map((link) => ({
    component_id: link.child_component_id,
    version: link.child_version,
  }));
  for (const version of await getVersions(db, addresses)) {
    found.get(version.component_id)?.versions.set(version.version, version);
  }
}
