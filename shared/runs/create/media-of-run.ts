import * as v from "valibot";
import { mediaRoute } from "../../domain/runs/media-types.ts";
import { ServiceError } from "../../errors.ts";
import { newId } from "../../runtime/ids.ts";
import { type InputMedia, type Media, type MediaKind, mediaKinds } from "../../schemas/runs/media.ts";
import type { GivenMedia } from "../../schemas/runs/media-fields.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { UploadedFile } from "../../schemas/values/uploaded-file.ts";
import type { Db } from "../../stores/db.ts";
import { putObject } from "../../stores/objects/object-bytes.ts";
import { sessionObjects } from "../../stores/objects/object-prefix.ts";

/** One medium of a run's input: its description, and its bytes unless they are elsewhere. */
export type ReadMedia = {
  readonly kind: MediaKind;
  readonly described: Omit<Media, "id"> & { readonly id?: string };
  readonly bytes: Uint8Array | undefined;
  /** Set where this platform has stored it already. */
  readonly object?: ObjectPointer;
};

/**
 * Collects uploads and media fields of a form. Nothing is stored yet, so a refused form leaves nothing behind.
 * Empty uploads are skipped.
 *
 * @param mayPoint  whether media may point to stored objects; only the platform's own requests may
 * @throws ServiceError BAD_REQUEST for an upload of a type that no run takes
 */
export function readMedia(form: CreateRunForm, mayPoint = false): ReadMedia[] {
  const uploads = (form.files ?? []).map((file, at) => readUpload(file, form.files_metadata?.[at]));
  return [
    ...uploads,
    ...readField("images", form.images, mayPoint),
    ...readField("videos", form.videos, mayPoint),
    ...readField("audios", form.audio, mayPoint),
    ...readField("files", form.input_files, mayPoint),
  ].filter(({ bytes, object }) => object || bytes === undefined || bytes.length > 0);
}

function readUpload({ filename, mime_type, bytes }: UploadedFile, metadata: unknown): ReadMedia {
  const route = mediaRoute(mime_type, filename);
  if (!route) throw new ServiceError("BAD_REQUEST", `uploads of type ${mime_type} are not supported`);
  const { kind, ...described } = route;
  return { kind, described: { ...described, filename, ...(isObject(metadata) && { metadata }) }, bytes };
}

function readField(kind: MediaKind, media: readonly GivenMedia[] = [], mayPoint = false): ReadMedia[] {
  return media.map(({ content, object: pointer, ...fields }) => {
    const { id, format, mime_type, filename, ...rest } = fields;
    const described = { ...rest, ...texts({ id, format, mime_type, filename }) };
    if (mayPoint && v.is(ObjectPointer, pointer))
      return { kind, described, bytes: undefined, object: pointer };
    return { kind, described, bytes: content === undefined ? undefined : Buffer.from(content, "base64") };
  });
}

/** Descriptive fields that should be text and are not are left out; the medium itself is used. */
const texts = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

const isObject = (value: unknown): boolean =>
  value !== null && typeof value === "object" && !Array.isArray(value);

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
