import { mapRunMedia } from "../../domain/runs/map-media.ts";
import type { Media } from "../../schemas/runs/media.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { cachedLoad } from "./cached-load.ts";
import { changeMedia } from "./change-media.ts";
import { putObject } from "./put-object.ts";
import type { LoadObject } from "./show-media.ts";

/**
 * Copies the input and output media of a run to another session, so that they outlive the first one. A medium that
 * occurs in several places is read once, and becomes one object.
 *
 * @param prefix  of the session that the copy belongs to
 * @returns       the run with pointers to the copies
 */
export function copyRunMedia(db: Db, prefix: string, output: StoredOutput): Promise<StoredOutput> {
  const load = cachedLoad(db);
  return changeMedia(output, mapRunMedia, (medium) => copyOne(db, prefix, load, medium));
}

async function copyOne(db: Db, prefix: string, load: LoadObject, medium: Media): Promise<Media> {
  if (!medium.object || medium.object.key.startsWith(prefix)) return medium;
  return { ...medium, object: await putObject(db, prefix, await load(medium.object)) };
}
