import { ServiceError } from "../../errors.ts";
import type { ComponentLink, ComponentRecord } from "../../schemas/components/component-record.ts";
import type { Relatives } from "./check-links.ts";
import type { ComponentChange } from "./component-change.ts";

/**
 * Archives a component: it is not shown and does not run, and all of it stays stored. Its links no longer count as
 * references to its children.
 *
 * @param links  of all its versions that were not deleted
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
    unreferenced: "component",
  };
}

/**
 * Restores an archived component; its links count as references to its children again.
 *
 * @param children  the components that its links name
 * @throws ServiceError CONFLICT when it is not archived, or one of its children is
 * @decided a parent whose child was archived after it is restored after that child, so that no link leads to an archived one
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
