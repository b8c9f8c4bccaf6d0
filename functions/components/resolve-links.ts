import type { Caller } from "../../shared/auth/caller.ts";
import { maySee, maySeeVersion } from "../../shared/domain/components/audience.ts";
import type { Relatives } from "../../shared/domain/components/check-links.ts";
import { readLinks } from "../../shared/domain/components/read-links.ts";
import { type Reference, referencesOf } from "../../shared/domain/components/references.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { ComponentType } from "../../shared/schemas/components/component.ts";
import type { ComponentLink, ComponentRecord } from "../../shared/schemas/components/component-record.ts";
import { readComponents } from "../../shared/stores/components/read-components.ts";
import { readRelatives } from "../../shared/stores/components/read-relatives.ts";
import type { ComponentsDeps } from "./components-deps.ts";

type RequestedLinks = readonly Readonly<Record<string, unknown>>[];
type Needs = Pick<ComponentsDeps, "db" | "codeDefined">;

export type ResolvedLinks = { readonly links: readonly ComponentLink[]; readonly relatives: Relatives };

/**
 * The links of a version, as they were given or as its config names them, and everything that they lead to.
 *
 * @throws ServiceError NOT_FOUND for what the caller may not see, BAD_REQUEST for a member that does not exist
 * @source contract, components-and-platform A5, A6
 */
export async function resolveLinks(
  { db, codeDefined }: Needs,
  caller: Caller,
  type: ComponentType,
  config: Readonly<Record<string, unknown>>,
  requestedLinks: RequestedLinks | undefined,
): Promise<ResolvedLinks> {
  const references = referencesOf(type, config).filter((reference) => !isIn(codeDefined, reference));
  const named = requestedLinks ? readLinks(requestedLinks) : [];
  const ids = [...references.map(({ id }) => id), ...named.map((link) => link.child_component_id)];
  const undeclared = ids.filter((id) => !codeDefined.some((one) => one.id === id));
  const stored = new Map((await readComponents(db, undeclared)).map((one) => [one.component_id, one]));
  for (const one of stored.values()) {
    if (!maySee(caller, one)) throw notFound("component", one.component_id);
  }
  const links = requestedLinks
    ? named
    : references.flatMap((reference) => linkTo(reference, stored.get(reference.id)));
  const relatives = await readRelatives(db, links);
  for (const link of links) requireVisibleVersion(caller, link, relatives);
  return { links, relatives };
}

/** A draft is executed by who runs a version that links it, so only who may see it may link it. */
function requireVisibleVersion(
  caller: Caller,
  { child_component_id, child_version }: ComponentLink,
  relatives: Relatives,
): void {
  const { component, versions } = relatives.get(child_component_id) ?? {};
  const version = versions?.get(child_version);
  if (!component || !version || maySeeVersion(caller, component, version)) return;
  throw notFound("version", String(child_version));
}

function linkTo({ link_kind, link_key, position, id }: Reference, child: ComponentRecord | undefined) {
  if (!child) {
    if (link_kind !== "member") return [];
    throw new ServiceError("BAD_REQUEST", `member ${id} is neither stored nor declared in code`);
  }
  if (child.deleted_at !== undefined) {
    throw new ServiceError("CONFLICT", `component ${id} is archived; restore it first`);
  }
  if (child.current_version === undefined) return [];
  const link = { link_kind, link_key, child_component_id: id, child_version: child.current_version };
  return [{ ...link, ...(position !== undefined && { position }) }];
}

const isIn = (codeDefined: ComponentsDeps["codeDefined"], { type, id }: Reference): boolean =>
  codeDefined.some((one) => one.type === type && one.id === id);
