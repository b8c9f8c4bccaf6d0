import { notFound, ServiceError } from "../../errors.ts";
import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";
import { goLive } from "./go-live.ts";

/**
 * The component with another published version live: rolled back, or forward again.
 *
 * @param found  the requested version
 * @throws ServiceError NOT_FOUND for a version that does not exist, BAD_REQUEST for a draft
 */
export function planCurrent(
  component: ComponentRecord,
  found: VersionRecord | undefined,
  version: number,
  now: number,
): ComponentRecord {
  if (!found) throw notFound("version", String(version));
  if (found.stage === "published") return goLive(component, found, now);
  throw new ServiceError(
    "BAD_REQUEST",
    `version ${version} is a draft; publish it to make it the current one`,
  );
}
