import type { Caller } from "../../../shared/auth/caller.ts";
import { maySee, maySeeVersion } from "../../../shared/domain/components/audience.ts";
import type { Relatives } from "../../../shared/domain/components/check-links.ts";
import { readLinks } from "../../../shared/domain/components/read-links.ts";
import { type Reference, referencesOf } from "../../../shared/domain/components/references.ts";
import { type Fault, notFound } from "../../../shared/errors.ts";
import type { ComponentType } from "../../../shared/schemas/components/component.ts";
import type { ComponentLink, ComponentRecord } from "../../../shared/schemas/components/component-record.ts";
import { readComponents } from "../../../shared/stores/components/component-item.ts";
import { readRelatives } from "../../../shared/stores/components/read-relatives.ts";
import type { ComponentsDeps } from "../components-deps.ts";

type RequestedLinks = readonly Readonly<Record<string, unknown>>[];
type Needs = Pick<ComponentsDeps, "db" | "codeDefined">;

export type ResolvedLinks = {
  readonly links: readonly ComponentLink[];
  /** Everything that the links lead to. */
  readonly relatives: Relatives;
  /** What the caller may not see: nothing more may be said of it, so the rest is left out then. */
  readonly hidden: readonly Fault[];
  /** Children that cannot be linked. */
  readonly faults: readonly Fault[];
  /** Where the config names a component. */
  readonly pathOf: (id: string) => string;
};

/**
 * The links of a version, as they were given or as its config names them, and everything that they lead to.
 *
 * @returns faults NOT_FOUND for what the caller may not see, BAD_REQUEST for a member or a skill that does not exist, CONFLICT for
 *   an archived one
 * @throws ServiceError BAD_REQUEST for links that are none
 */
export async function resolveLinks(
  { db, codeDefined }: Needs,
  caller: Caller,
  type: ComponentType,
  config: Readonly<Record<string, unknown>>,
  requestedLinks: RequestedLinks | undefined,
): Promise<ResolvedLinks> {
  const named = referencesOf(type, config);
  const references = named.filter((reference) => !isIn(codeDefined, reference));
  const given = requestedLinks ? readLinks(requestedLinks) : [];
  const pathOf = (id: string): string => named.find((one) => one.id === id)?.path ?? "links";
  const ids = [...references.map(({ id }) => id), ...given.map((link) => link.child_component_id)];
  const undeclared = ids.filter((id) => !codeDefined.some((one) => one.id === id));
  const stored = new Map((await readComponents(db, undeclared)).map((one) => [one.component_id, one]));
  const unseen = [...stored.values()].filter((one) => !maySee(caller, one));
  if (unseen.length > 0) {
    const hidden = unseen.map(({ component_id: id }) => hiddenFault(pathOf(id), "component", id));
    return { links: [], relatives: new Map(), hidden, faults: [], pathOf };
  }
  const derived = requestedLinks
    ? []
    : references.map((reference) => linkTo(reference, stored.get(reference.id)));
  const links = [...given, ...derived.flatMap(({ link }) => link ?? [])];
  const relatives = await readRelatives(db, links);
  const hidden = links
    .filter((link) => !maySeeLinked(caller, link, relatives))
    .map((link) => hiddenFault(pathOf(link.child_component_id), "version", String(link.child_version)));
  return { links, relatives, hidden, faults: derived.flatMap(({ fault }) => fault ?? []), pathOf };
}

const hiddenFault = (path: string, what: string, id: string): Fault => ({
  path,
  message: notFound(what, id).message,
  error_code: "NOT_FOUND",
});

/** A draft is executed by who runs a version that links it, so only who may see it may link it. */
function maySeeLinked(
  caller: Caller,
  { child_component_id, child_version }: ComponentLink,
  relatives: Relatives,
): boolean {
  const { component, versions } = relatives.get(child_component_id) ?? {};
  const version = versions?.get(child_version);
  return !component || !version || maySeeVersion(caller, component, version);
}

/** The link to a child, or why there can be none; neither for what has no live version, or may be declared later. */
function linkTo(
  { link_kind, link_key, position, id, path }: Reference,
  child: ComponentRecord | undefined,
): { readonly link?: ComponentLink; readonly fault?: Fault } {
  if (!child) {
    if (link_kind !== "member" && link_kind !== "skill") return {};
    const message =
      link_kind === "skill"
        ? `skill ${id} is not stored`
        : `member ${id} is neither stored nor declared in code`;
    return { fault: { path, message, error_code: "BAD_REQUEST" } };
  }
  if (child.deleted_at !== undefined) {
    const message = `component ${id} is archived; restore it first`;
    return { fault: { path, message, error_code: "CONFLICT" } };
  }
  if (child.current_version === undefined) return {};
  const link = { link_kind, link_key, child_component_id: id, child_version: child.current_version };
  return { link: { ...link, ...(position !== undefined && { position }) } };
}

const isIn = (codeDefined: ComponentsDeps["codeDefined"], { type, id }: Reference): boolean =>
  codeDefined.some((one) => one.type === type && one.id === id);
