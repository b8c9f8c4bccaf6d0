import type { Caller } from "../../../shared/auth/caller.ts";
import { maySeeVersion } from "../../../shared/domain/components/audience.ts";
import { notFound } from "../../../shared/errors.ts";
import type { ComponentRecord, VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import { getVersion } from "../../../shared/stores/components/version-item.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { visibleComponent } from "../visible-component.ts";

/**
 * A version that the caller may see, with its component.
 *
 * @throws ServiceError NOT_FOUND for a component or a version that is unknown or hidden from the caller
 */
export async function visibleVersion(
  db: Db,
  caller: Caller,
  { component_id, version: number }: { readonly component_id: string; readonly version: number },
): Promise<{ readonly component: ComponentRecord; readonly version: VersionRecord }> {
  const component = await visibleComponent(db, caller, component_id);
  const version = await getVersion(db, component_id, number);
  if (!version || !maySeeVersion(caller, component, version)) throw notFound("version", String(number));
  return { component, version };
}
