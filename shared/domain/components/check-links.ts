import { ServiceError } from "../../errors.ts";
import type {
  ComponentLink,
  ComponentRecord,
  VersionRecord,
} from "../../schemas/components/component-record.ts";
import type { Relied } from "./component-change.ts";

/** Most distinct children of one version, and of all versions of a component: what one transaction can check. */
export const MAX_CHILDREN_OF_VERSION = 30;
const MAX_CHILDREN = 45;

/** A component that links lead to, directly or indirectly, with the versions they name; undefined if not stored. */
export type Relative = {
  readonly component: ComponentRecord | undefined;
  readonly versions: ReadonlyMap<number, VersionRecord>;
};
export type Relatives = ReadonlyMap<string, Relative>;

type CheckedLinks = { readonly relied: Relied; readonly children: string[] };

/**
 * Checks whether a version may have these children.
 *
 * @param relatives      everything that the links lead to
 * @param isCodeDefined  whether a child is declared in code, which hides what is stored under its id
 * @returns the revisions that the write depends on, and the parent's children afterwards
 * @throws ServiceError CONFLICT for a parent that would contain itself, for an archived child, and on publishing for
 *   a child that is not published; BAD_REQUEST for too many children
 * @source contract, components-and-platform A5, A6
 */
export function checkLinks(
  parent: Pick<ComponentRecord, "component_id" | "children">,
  links: readonly ComponentLink[],
  relatives: Relatives,
  publishing: boolean,
  isCodeDefined: (id: string) => boolean,
): CheckedLinks {
  if (links.some((link) => link.child_component_id === parent.component_id)) {
    throw new ServiceError("CONFLICT", `component ${parent.component_id} would hold itself`);
  }
  if (relatives.has(parent.component_id)) {
    throw new ServiceError(
      "CONFLICT",
      `a component that this version holds holds ${parent.component_id} itself`,
    );
  }
  const ids = [...new Set(links.map((link) => link.child_component_id))];
  const children = [...new Set([...parent.children, ...ids])];
  if (relatives.size > MAX_CHILDREN_OF_VERSION || children.length > MAX_CHILDREN) throw tooMany();
  for (const link of links)
    requireChild(link, relatives.get(link.child_component_id), publishing, isCodeDefined);
  const relied = [...relatives].map(([id, { component }]) => [id, component?.revision] as const);
  return { relied: new Map(relied), children };
}

function requireChild(
  { child_component_id: id, child_version }: ComponentLink,
  relative: Relative | undefined,
  publishing: boolean,
  isCodeDefined: (id: string) => boolean,
): void {
  if (isCodeDefined(id)) return;
  if (relative?.component?.deleted_at !== undefined)
    throw conflict(`component ${id} is archived; restore it first`);
  if (!publishing) return;
  const stage = relative?.versions.get(child_version)?.stage;
  if (stage === "published") return;
  throw conflict(
    stage === undefined
      ? `version ${child_version} of component ${id} does not exist`
      : `version ${child_version} of component ${id} is a draft; publish it first`,
  );
}

const conflict = (detail: string) => new ServiceError("CONFLICT", detail);

const tooMany = () =>
  new ServiceError(
    "BAD_REQUEST",
    `a version may lead to ${MAX_CHILDREN_OF_VERSION} components, and all versions together may link ${MAX_CHILDREN}`,
  );
