import type { Fault } from "../../errors.ts";
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

type CheckedLinks = {
  /** The revisions that the write depends on. */
  readonly relied: Relied;
  /** The parent's children afterwards. */
  readonly children: string[];
  /** With any of these the version must not be written. */
  readonly faults: readonly Fault[];
};

type LinkRules = {
  /** Whether the version goes live, which takes published children. */
  readonly publishing: boolean;
  /** Whether a child is declared in code, which hides what is stored under its id. */
  readonly isCodeDefined: (id: string) => boolean;
  /** Where the config names a child. */
  readonly pathOf: (id: string) => string;
};

/**
 * Checks whether a version may have these children.
 *
 * @param relatives  everything that the links lead to
 * @returns faults CONFLICT for a parent that would contain itself, for an archived child, and on publishing for a child
 *   that is not published; BAD_REQUEST for too many children
 */
export function checkLinks(
  parent: Pick<ComponentRecord, "component_id" | "children">,
  links: readonly ComponentLink[],
  relatives: Relatives,
  rules: LinkRules,
): CheckedLinks {
  const own = parent.component_id;
  const ids = [...new Set(links.map((link) => link.child_component_id))];
  const children = [...new Set([...parent.children, ...ids])];
  const isTooMany = relatives.size > MAX_CHILDREN_OF_VERSION || children.length > MAX_CHILDREN;
  const relied = [...relatives].map(([id, { component }]) => [id, component?.revision] as const);
  const faults = [
    ...(ids.includes(own) ? [conflict(rules.pathOf(own), `component ${own} would hold itself`)] : []),
    ...(relatives.has(own) && !ids.includes(own)
      ? [conflict("", `a component that this version holds holds ${own} itself`)]
      : []),
    ...(isTooMany ? [tooMany] : []),
    ...links
      .filter((link) => link.child_component_id !== own && !rules.isCodeDefined(link.child_component_id))
      .flatMap((link) => childFaults(link, relatives.get(link.child_component_id), rules)),
  ];
  return { relied: new Map(relied), children, faults };
}

function childFaults(
  { child_component_id: id, child_version }: ComponentLink,
  relative: Relative | undefined,
  { publishing, pathOf }: LinkRules,
): Fault[] {
  if (relative?.component?.deleted_at !== undefined)
    return [conflict(pathOf(id), `component ${id} is archived; restore it first`)];
  if (!publishing) return [];
  const stage = relative?.versions.get(child_version)?.stage;
  if (stage === "published") return [];
  const problem = stage === undefined ? "does not exist" : "is a draft; publish it first";
  return [conflict(pathOf(id), `version ${child_version} of component ${id} ${problem}`)];
}

const conflict = (path: string, message: string): Fault => ({ path, message, error_code: "CONFLICT" });

const tooMany: Fault = {
  path: "",
  message: `a version may lead to ${MAX_CHILDREN_OF_VERSION} components, and all versions together may link ${MAX_CHILDREN}`,
  error_code: "BAD_REQUEST",
};
