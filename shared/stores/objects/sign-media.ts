import { mapMadeMedia } from "../../domain/runs/map-media.ts";
import { servedType } from "../../domain/runs/served-type.ts";
import type { Media } from "../../schemas/runs/media.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { changeMedia } from "./change-media.ts";
import { objectName } from "./object-prefix.ts";

/** A run whose made media have an address beside their place: UIs load them from there. */
export const signMadeMedia = (db: Db, output: StoredOutput): Promise<StoredOutput> =>
  changeMedia(output, mapMadeMedia, (medium) => signMedium(db, medium));

/**
 * A stored medium with an address and its reference, which `GET /sessions/{session_id}/media/{key}` takes. The peer's
 * clients refuse a medium that has both content and an address, unless it has a reference too.
 */
export async function signMedium({ objects }: Pick<Db, "objects">, medium: Media): Promise<Media> {
  const { id, object, mime_type, filename } = medium;
  if (!object) return medium;
  const media_reference = {
    media_id: id,
    storage_key: objectName(object.key),
    storage_backend: "s3",
    ...(mime_type !== undefined && { mime_type }),
    ...(filename !== undefined && { filename }),
    size: object.bytes,
  };
  return { ...medium, url: await objects.sign(object.key, servedType(mime_type)), media_reference };
}
