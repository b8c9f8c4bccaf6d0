import { ServiceError } from "../../errors.ts";
import type { ComponentLink, ComponentRecord } from "../../schemas/components/component-record.ts";
import type { Relatives } from "./check-links.ts";
import type { ComponentChange } from "./component-change.ts";

/**
 * Archives a component: nothing of it is shown or runs, and all of it is kept. It lets go of its children.
 *
 * @param links  of all its living versions
 * @source contract, components-and-platform A4, "Deletion of a component is an archive"
 */
export function planArchive(
  component: ComponentRecord,
  links: readonly ComponentLink[],
  now: number,
): ComponentChange {
  return {
    component: { ...component, deleted_at: now },
    pinned: [],
    unpinned: links,
    relied: new Map(),
    unheld: "component",
  };
}

/**
 * Brings an archived component back; it holds its children again.
 *
 * @param children  the components that its links name
 * @throws ServiceError CONFLICT when it is not archived, or one of its children is
 * @source contract, components-and-platform A4
 * @decided a parent whose child was archived after it comes back after that child: it would hold what is not there
 */
export function planRestore(
  component: ComponentRecord,
  links: readonly ComponentLink[],
  children: Relatives,
  now: number,
): ComponentChange {
  const { deleted_at, ...living } = component;
  if (deleted_at === undefined) {
    throw new ServiceError("CONFLICT", `component ${component.component_id} is not archived`);
  }
  const archived = [...children].find(([, child]) => child.component?.deleted_at !== undefined);
  if (archived) throw new ServiceError("CONFLICT", `component ${archived[0]} is archived; restore it first`);
  const relied = [...children].map(([id, child]) => [id, child.component?.revision] as const);
  return {
    component: { ...living, updated_at: now },
    pinned: links,
    unpinned: [],
    relied: new Map(relied),
  };
}
