import {
  MAX_CHILDREN_OF_VERSION,
  type Relative,
  type Relatives,
} from "../../domain/components/check-links.ts";
import { type LinkTarget, linkTargetsOf, type Target } from "../../domain/components/link-targets.ts";
import { ServiceError } from "../../errors.ts";
import type { ComponentType } from "../../schemas/components/component.ts";
import type {
  ComponentLink,
  ComponentRecord,
  VersionRecord,
} from "../../schemas/components/component-record.ts";
import type { Db } from "../db.ts";
import { readComponents } from "./component-item.ts";
import { getVersions } from "./version-item.ts";

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

/** Most components that versions may lead to: what one request reads. */
const MAX_LINKED = 200;

type Content = Pick<VersionRecord, "config" | "links">;

/**
 * Everything that versions of a component link, through every level of stored components, whoever wrote those. What is
 * declared in code is among it, and what that contains is not: a declaration is the operator's own grant. So is what
 * does not exist yet, by the id under which it may be stored later.
 *
 * @param type      of the component
 * @param declared  what code declares; it hides what is stored under its ids
 * @throws ServiceError BAD_REQUEST where it is too much to be read
 */
export async function readLinked(
  db: Db,
  type: ComponentType,
  versions: readonly Content[],
  declared: readonly Target[],
): Promise<Target[]> {
  const targets = new Map<string, Target>();
  const components = new Map<string, ComponentRecord>();
  const seen = new Set<string>();
  let next = versions.flatMap((version) => linkTargetsOf(type, version));
  while (next.length > 0) {
    const fresh = next.filter((target) => isFirst(target, seen));
    const stored = fresh.filter(({ id }) => !declared.some((one) => one.id === id));
    const unread = stored.map(({ id }) => id).filter((id) => !components.has(id));
    if (components.size + new Set(unread).size > MAX_LINKED) throw tooMany();
    for (const one of await readComponents(db, unread)) components.set(one.component_id, one);
    for (const target of fresh.flatMap((one) => typed(one, declared, components.get(one.id)))) {
      targets.set(`${target.type} ${target.id}`, target);
    }
    next = (await readVersions(db, stored, components)).flatMap(({ of, version }) =>
      linkTargetsOf(of.component_type, version),
    );
  }
  return [...targets.values()];
}

function isFirst({ type, id, version }: LinkTarget, seen: Set<string>): boolean {
  const name = JSON.stringify([type, id, version]);
  if (seen.has(name)) return false;
  seen.add(name);
  return true;
}

/** A target under every type that it may have; where nothing says it, a member is an agent. */
function typed(
  { type, id }: LinkTarget,
  declared: readonly Target[],
  component: ComponentRecord | undefined,
): Target[] {
  if (type) return [{ type, id }];
  const known = declared.filter((one) => one.id === id);
  return known.length > 0 ? known : [{ type: component?.component_type ?? "agent", id }];
}

async function readVersions(
  db: Db,
  targets: readonly LinkTarget[],
  components: ReadonlyMap<string, ComponentRecord>,
) {
  const addresses = targets.flatMap(({ id, version }) => {
    const component = components.get(id);
    const wanted = version ?? component?.current_version;
    return component && wanted !== undefined ? [{ component_id: id, version: wanted }] : [];
  });
  return (await getVersions(db, addresses)).flatMap((version) => {
    const of = components.get(version.component_id);
    return of ? [{ of, version }] : [];
  });
}

const tooMany = () =>
  new ServiceError("BAD_REQUEST", `a version may lead to ${MAX_LINKED} components, through all levels`);
