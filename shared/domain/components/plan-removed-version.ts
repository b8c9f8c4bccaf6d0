import { notFound, ServiceError } from "../../errors.ts";
import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";
import { type ComponentChange, noLinks } from "./component-change.ts";

/**
 * Deletes a draft. Its number is not used again; its label is free again.
 *
 * @throws ServiceError NOT_FOUND, BAD_REQUEST for a published version, CONFLICT for the last one
 */
export function planRemovedVersion(
  component: ComponentRecord,
  before: VersionRecord | undefined,
  version: number,
): ComponentChange {
  if (!before) throw notFound("version", String(version));
  if (before.stage === "published") {
    const which = component.current_version === version ? "the current version" : "a published version";
    throw new ServiceError("BAD_REQUEST", `version ${version} is ${which} and cannot be deleted`);
  }
  if (component.living_versions <= 1) {
    throw new ServiceError("CONFLICT", `version ${version} is the only one; archive the component instead`);
  }
  return {
    ...noLinks,
    component: { ...component, living_versions: component.living_versions - 1 },
    before,
    unpinned: before.links,
    unreferenced: version,
  };
}
