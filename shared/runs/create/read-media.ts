import * as v from "valibot";
import { mediaRoute } from "../../domain/runs/media-types.ts";
import { ServiceError } from "../../errors.ts";
import type { Media, MediaKind } from "../../schemas/runs/media.ts";
import type { GivenMedia } from "../../schemas/runs/media-fields.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { UploadedFile } from "../../schemas/values/uploaded-file.ts";

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
 *
 * @param mayPoint  whether media may point to stored objects; only the platform's own requests may
 * @throws ServiceError BAD_REQUEST for an upload of a type that no run takes
 * @source contract, runs-and-queue 3.4: empty uploads are skipped
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
