import { type FileOfRun, MAX_BYTES } from "../../shared/a2a/output-files.ts";
import { givenFiles } from "../../shared/a2a/sent-parts.ts";
import { listMedia } from "../../shared/domain/runs/output-media.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getObject } from "../../shared/stores/objects/object-bytes.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

/** The files that a run has made, with their contents; nothing is read for a run that has made none. */
export const readFiles = (db: Db, { output }: StoredRun): Promise<FileOfRun[]> =>
  Promise.all(listMedia(output).map(([kind, medium]) => withContent(db, { kind, medium })));

/** The files that it was given, with the contents that fit into an answer. */
export const readGivenFiles = (db: Db, { output }: StoredRun): Promise<FileOfRun[]> =>
  Promise.all(
    givenFiles(output.input).map((file) =>
      (file.medium.object?.bytes ?? 0) > MAX_BYTES ? file : withContent(db, file),
    ),
  );

async function withContent(db: Db, file: FileOfRun): Promise<FileOfRun> {
  const { object } = file.medium;
  return object ? { ...file, bytes: await getObject(db, object) } : file;
}
