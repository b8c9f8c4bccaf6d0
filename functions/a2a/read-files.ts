import type { OutputFile } from "../../shared/a2a/output-files.ts";
import { listMedia } from "../../shared/domain/runs/output-media.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getObject } from "../../shared/stores/objects/get-object.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

/** The files that a run has made, with their contents; nothing is read for a run that has made none. */
export const readFiles = (db: Db, { output }: StoredRun): Promise<OutputFile[]> =>
  Promise.all(
    listMedia(output).map(async ([kind, medium]) => ({
      kind,
      medium,
      ...(medium.object && { bytes: await getObject(db, medium.object) }),
    })),
  );
