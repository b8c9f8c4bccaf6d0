import { ServiceError } from "../../errors.ts";
import { newId } from "../../runtime/ids.ts";
import { type InputMedia, type Media, mediaKinds } from "../../schemas/runs/media.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { Db } from "../../stores/db.ts";
import { sessionObjects } from "../../stores/objects/object-prefix.ts";
import { putObject } from "../../stores/objects/put-object.ts";
import type { ReadMedia } from "./read-media.ts";

/**
 * Stores a run's media before the run itself is accepted; the record then refers to them.
 *
 * @returns the media by kind, in the order in which they were given
 */
export async function storeMedia(
  db: Db,
  at: { readonly owner: string | null; readonly session_id: string },
  media: readonly ReadMedia[],
): Promise<InputMedia> {
  const prefix = sessionObjects(at.owner, at.session_id);
  const stored = await Promise.all(
    media.map(async ({ kind, described, bytes, object: pointer }) => {
      const object = pointer ? ownObject(prefix, pointer) : bytes && (await putObject(db, prefix, bytes));
      const item: Media = { ...described, id: described.id ?? newId(), ...(object && { object }) };
      return { kind, item };
    }),
  );
  const byKind = mediaKinds.map((kind) => [
    kind,
    stored.filter((one) => one.kind === kind).map(({ item }) => item),
  ]);
  return Object.fromEntries(byKind.filter(([, items]) => items !== undefined && items.length > 0));
}

/** @throws ServiceError BAD_REQUEST for an object of another session: it could be another user's */
function ownObject(prefix: string, pointer: ObjectPointer): ObjectPointer {
  if (pointer.key.startsWith(prefix)) return pointer;
  throw new ServiceError("BAD_REQUEST", "a medium may only point to an object of the run's own session");
}
