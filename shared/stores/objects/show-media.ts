import type { Media } from "../../schemas/runs/media.ts";
import type { ObjectPointer } from "../../schemas/values/object-pointer.ts";

/** Reads the bytes behind a pointer; `getObject` of a connection. */
export type LoadObject = (pointer: ObjectPointer) => Promise<Uint8Array>;

/** A medium with its content: base64, or the text itself. */
export async function showMedia(load: LoadObject, { object, ...shown }: Media): Promise<Media> {
  if (!object) return shown;
  const isText = shown.mime_type?.startsWith("text/") === true;
  const bytes = Buffer.from(await load(object));
  return { ...shown, content: bytes.toString(isText ? "utf8" : "base64") };
}
