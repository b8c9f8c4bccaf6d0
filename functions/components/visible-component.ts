import type { Caller } from "../../shared/auth/caller.ts";
import { mayChange, maySee, maySeeVersion } from "../../shared/domain/components/audience.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { ComponentType } from "../../shared/schemas/components/component.ts";
import type { ComponentRecord, VersionRecord } from "../../shared/schemas/components/component-record.ts";
import { getComponent } from "../../shared/stores/components/component-item.ts";
import type { Db } from "../../shared/stores/db.ts";

/** Whether archived components are shown too. */
type Shown = { readonly include_deleted?: boolean };

/**
 * A component that the caller may see, as it was read.
 *
 * @throws ServiceError NOT_FOUND for one that is unknown, archived (unless asked for), or another user's and not published
 */
function requireVisible(
  caller: Caller,
  component: ComponentRecord | undefined,
  id: string,
  { include_deleted = false }: Shown = {},
): ComponentRecord {
  // What is archived is shown to whom it belongs, as in the list.
  const isArchived = component?.deleted_at !== undefined;
  const isShown =
    component && (isArchived ? include_deleted && mayChange(caller, component) : maySee(caller, component));
  if (isShown) return component;
  throw notFound("component", id);
}

export const visibleComponent = async (
  db: Db,
  caller: Caller,
  id: string,
  shown?: Shown,
): Promise<ComponentRecord> => requireVisible(caller, await getComponent(db, id), id, shown);

/** @throws ServiceError NOT_FOUND, and UNAUTHORIZED for one that the caller sees but does not own */
export function requireChangeable(
  caller: Caller,
  component: ComponentRecord | undefined,
  id: string,
): ComponentRecord {
  const visible = requireVisible(caller, component, id);
  if (mayChange(caller, visible)) return visible;
  throw new ServiceError("UNAUTHORIZED", `component ${id} belongs to another user`);
}

/** A component of another type counts as missing. */
export const ofType = <C extends { readonly component_type: ComponentType }>(
  component: C | undefined,
  type: ComponentType | undefined,
): C | undefined => (type === undefined || component?.component_type === type ? component : undefined);

/**
 * The version of a component that a request changes.
 *
 * @throws ServiceError NOT_FOUND for a draft that the caller may not see, also where there is none; UNAUTHORIZED for a
 *   published version of another user's
 */
export function requireChangeableVersion(
  caller: Caller,
  component: ComponentRecord | undefined,
  version: VersionRecord | undefined,
  address: { readonly component_id: string; readonly version: number },
): ComponentRecord {
  const visible = requireVisible(caller, component, address.component_id);
  const isHidden = !mayChange(caller, visible) && !(version && maySeeVersion(caller, visible, version));
  if (isHidden) throw notFound("version", String(address.version));
  return requireChangeable(caller, visible, address.component_id);
}
