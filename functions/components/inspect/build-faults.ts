import { buildComponent } from "../../../shared/engine/component/build/build-component.ts";
import type { Fault } from "../../../shared/errors.ts";
import type { ComponentRecord, VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import type { ComponentsDeps } from "../components-deps.ts";

/**
 * Why a version cannot run: it is built as for a run, and what does not exist or cannot be used is a fault.
 *
 * @param version  stored, or to be stored
 */
export async function buildFaults(
  { db, parts }: Pick<ComponentsDeps, "db" | "parts">,
  component: ComponentRecord,
  version: Pick<VersionRecord, "config" | "links">,
): Promise<readonly Fault[]> {
  const { component_id, next_version, created_at } = component;
  const unsaved = { component_id, version: next_version, stage: "draft", created_at } as const;
  const stored = { component, version: { ...unsaved, ...version } };
  return (await buildComponent(stored, parts, db)).faults;
}
