import type { ComponentRecord, VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import { getLatestVersion, getVersion } from "../../../shared/stores/components/version-item.ts";
import type { Db } from "../../../shared/stores/db.ts";

/**
 * The live version of a component; the newest draft of one that was never published, whose drafts are seen by whoever sees
 * the component.
 */
export const liveOrNewest = (
  db: Db,
  { component_id: id, current_version }: ComponentRecord,
): Promise<VersionRecord | undefined> =>
  current_version === undefined ? getLatestVersion(db, id) : getVersion(db, id, current_version);
