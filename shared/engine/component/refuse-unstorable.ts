import { mayChange, maySee, type Reader } from "../../domain/components/audience.ts";
import { inspectConfig } from "../../domain/components/inspect-config.ts";
import { referencesOf } from "../../domain/components/references.ts";
import { notFound, ServiceError } from "../../errors.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { readComponents } from "../../stores/components/component-item.ts";
import type { Db } from "../../stores/db.ts";

type Config = Readonly<Record<string, unknown>>;

/**
 * Refuses a config that a request brings along where the same could not be stored as a draft: by who may not change the
 * component, with keys that are refused, or with components that its writer may not see.
 *
 * @throws ServiceError UNAUTHORIZED, UNPROCESSABLE with the faults, NOT_FOUND for a component that is hidden or archived
 */
export async function refuseUnstorable(
  db: Db,
  reader: Reader,
  component: ComponentRecord,
  config: Config,
): Promise<void> {
  const { component_type: type, component_id: id } = component;
  if (!mayChange(reader, component)) {
    throw new ServiceError("UNAUTHORIZED", `only who may change ${type} ${id} may try a draft of it`);
  }
  const { refusals } = inspectConfig(type, config);
  if (refusals.length > 0) {
    const why = refusals.map(({ message }) => message).join("; ");
    throw new ServiceError("UNPROCESSABLE", `the draft cannot be run: ${why}`, { faults: refusals });
  }
  const named = await readComponents(db, [...new Set(referencesOf(type, config).map((one) => one.id))]);
  const hidden = named.find((one) => one.deleted_at !== undefined || !maySee(reader, one));
  if (hidden) throw notFound("component", hidden.component_id);
}
