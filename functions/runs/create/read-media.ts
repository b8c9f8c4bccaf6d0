import * as v from "valibot";
import { mediaRoute } from "../../../shared/domain/runs/media-types.ts";
import { ServiceError } from "../../../shared/errors.ts";
import type { Media, MediaKind } from "../../../shared/schemas/runs/media.ts";
import type { GivenMedia } from "../../../shared/schemas/runs/media-fields.ts";
import type { CreateRunForm } from "../../../shared/schemas/runs/run-forms.ts";
import { ObjectPointer } from "../../../shared/schemas/values/object-pointer.ts";
import type { UploadedFile } from "../../../shared/schemas/values/uploaded-file.ts";

/** One thing that a run is given: what is said of it, and its bytes unless it is somewhere else. */
export type ReadMedia = {
  readonly kind: MediaKind;
  readonly described: Omit<Media, "id"> & { readonly id?: string };
  readonly bytes: Uint8Array | undefined;
  /** Where this platform itself has kept it already. */
  readonly object?: ObjectPointer;
};

/**
 * Collects uploads and media fields of a form. Nothing is kept yet, so that a form that is refused leaves nothing.
 *
 * @param mayPoint  whether media may be objects that are there: the platform's own requests say so
 * @throws ServiceError BAD_REQUEST for an upload of a type that no run takes
 * @source contract, runs-and-queue 3.4: empty uploads are skipped
 */
export function readMedia(form: CreateRunForm, mayPoint = false): ReadMedia[] {
  const uploads = (form.files ?? []).map((file, at) => readUpload(file, form.files_metadata?.[at]));
  return [
    ...uploads,
    ...read("images", form.images, mayPoint),
    ...read("videos", form.videos, mayPoint),
    ...read("audios", form.audio, mayPoint),
    ...read("files", form.input_files, mayPoint),
  ].filter(({ bytes, object }) => object || bytes === undefined || bytes.length > 0);
}

function readUpload({ filename, mime_type, bytes }: UploadedFile, metadata: unknown): ReadMedia {
  const route = mediaRoute(mime_type, filename);
  if (!route) throw new ServiceError("BAD_REQUEST", `uploads of type ${mime_type} are not supported`);
  const { kind, ...described } = route;
  return { kind, described: { ...described, filename, ...(isObject(metadata) && { metadata }) }, bytes };
}

function read(kind: MediaKind, given: readonly GivenMedia[] = [], mayPoint = false): ReadMedia[] {
  return given.map(({ content, object: ours, ...said }) => {
    const { id, format, mime_type, filename, ...rest } = said;
    const described = { ...rest, ...texts({ id, format, mime_type, filename }) };
    if (mayPoint && v.is(ObjectPointer, ours)) return { kind, described, bytes: undefined, object: ours };
    return { kind, described, bytes: content === undefined ? undefined : Buffer.from(content, "base64") };
  });
}

/** What should be text and is not is left out: it describes the medium, and the medium itself is there. */
const texts = (said: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(said).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

const isObject = (value: unknown): boolean =>
  value !== null && typeof value === "object" && !Array.isArray(value);
