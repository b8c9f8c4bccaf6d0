import { servedType } from "../../domain/runs/media-types.ts";
import { type MapMedia, mapMadeMedia, mapMessageMedia, mapRunMedia } from "../../domain/runs/output-media.ts";
import type { Media } from "../../schemas/runs/media.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { Db } from "../db.ts";
import { getObject, putObject } from "./object-bytes.ts";
import { objectName } from "./spill.ts";

/** Reads the bytes behind a pointer; `getObject` of a connection. */
export type LoadObject = (pointer: ObjectPointer) => Promise<Uint8Array>;

/** Reads the bytes of a text file. */
export type ReadText = (bytes: Uint8Array) => string | Promise<string>;

const utf8: ReadText = (bytes) => Buffer.from(bytes).toString("utf8");

/** A medium with its content: base64, or the text itself. */
export async function showMedia(
  load: LoadObject,
  { object, ...shown }: Media,
  readText = utf8,
): Promise<Media> {
  if (!object) return shown;
  const bytes = await load(object);
  const isText = shown.mime_type?.startsWith("text/") === true;
  return { ...shown, content: isText ? await readText(bytes) : Buffer.from(bytes).toString("base64") };
}

/**
 * A run as the wire shows it: with the contents of the media in its input, its output and its messages.
 *
 * @throws ServiceError when a medium is missing or damaged
 */
export function showRunMedia(db: Db, output: StoredOutput): Promise<StoredOutput> {
  const load = cachedLoad(db);
  return changeMedia(output, mapRunMedia, (medium) => showMedia(load, medium));
}

/** A message as it is shown on the wire and to a model. */
export const showMessage = (load: LoadObject, message: Message, readText?: ReadText): Promise<Message> =>
  changeMedia(message, mapMessageMedia, (medium) => showMedia(load, medium, readText));

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

/** Loads each object once and caches it as long as this function lives. Failed loads are not cached. */
export function cachedLoad(db: Db): LoadObject {
  const loaded = new Map<string, Promise<Uint8Array>>();
  const start = (pointer: ObjectPointer): Promise<Uint8Array> => {
    const loading = getObject(db, pointer);
    loaded.set(pointer.key, loading);
    loading.catch(() => loaded.delete(pointer.key));
    return loading;
  };
  return (pointer) => loaded.get(pointer.key) ?? start(pointer);
}

/**
 * Changes the media in a value asynchronously: finds all of them first, and replaces them when all changes are done.
 * One that occurs in several places is changed once.
 *
 * @param map  visits every place of a medium in the value
 */
export async function changeMedia<Value>(
  value: Value,
  map: (value: Value, change: MapMedia) => Value,
  change: (medium: Media) => Promise<Media>,
): Promise<Value> {
  const found = new Map<string, Media>();
  map(value, (medium) => {
    found.set(keyOf(medium), medium);
    return medium;
  });
  if (found.size === 0) return value;
  const changes = [...found].map(async ([place, medium]) => [place, await change(medium)] as const);
  const changed = new Map(await Promise.all(changes));
  return map(value, (medium) => changed.get(keyOf(medium)) ?? medium);
}

const keyOf = ({ id, object, url }: Media): string => `${id} ${object?.key} ${url}`;
