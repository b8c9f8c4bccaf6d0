import * as v from "valibot";
import { fileTreatment, takesAddress, typeOfMedium } from "../../domain/runs/file-treatment.ts";
import { mediaRoute, pictureTypeOf, plainType } from "../../domain/runs/media-types.ts";
import { modelViewOf } from "../../engine/define/remote-agent.ts";
import { inputError, type Runnable } from "../../engine/define/runnable.ts";
import type { Models } from "../../engine/model/models.ts";
import { providerOf } from "../../engine/run/files-as-text.ts";
import { compileSchema } from "../../engine/tool/compile-schema.ts";
import { ServiceError } from "../../errors.ts";
import { sseFrame } from "../../events/sse.ts";
import { EventStream } from "../../http/handler.ts";
import { newId } from "../../runtime/ids.ts";
import { type InputMedia, type Media, type MediaKind, mediaKinds } from "../../schemas/runs/media.ts";
import type { GivenMedia } from "../../schemas/runs/media-fields.ts";
import type { CreateRunForm } from "../../schemas/runs/run-forms.ts";
import { ObjectPointer } from "../../schemas/values/object-pointer.ts";
import type { UploadedFile } from "../../schemas/values/uploaded-file.ts";
import type { Db } from "../../stores/db.ts";
import { putObject } from "../../stores/objects/object-bytes.ts";
import { sessionObjects } from "../../stores/objects/spill.ts";
import { type EventSource, errorEvent } from "../../stores/runs/event-base.ts";
import { type FramedRequest, framed } from "../foreground/event-frames.ts";

/**
 * Refuses what the form's schema cannot check, because it depends on the component.
 *
 * @param now  epoch seconds
 * @returns the refusal where the client reads a stream: one RunError and nothing else
 * @throws ServiceError BAD_REQUEST or NOT_FOUND
 * @source docs/interface/runs.md 3.4
 */
export function refuseBadForm(
  runnable: Runnable,
  { body: form, frames }: FramedRequest & { readonly body: CreateRunForm },
  now: number,
): EventStream | undefined {
  if (form.factory_input !== undefined && !isObjectText(form.factory_input)) {
    throw new ServiceError("BAD_REQUEST", "factory_input is not a JSON object");
  }
  const invalid = inputError(runnable, form.message);
  if (invalid === undefined) return undefined;
  if (!form.stream) throw new ServiceError("BAD_REQUEST", invalid);
  const source = sourceOf(runnable, form);
  const refusal = errorEvent(source, now, invalid, "input_check_error");
  return new EventStream(frames ? framed(frames(source), refusal) : single(sseFrame(refusal)));
}

/** No run exists, so the event names none. */
const sourceOf = ({ kind, id, name }: Runnable, { session_id = "" }: CreateRunForm): EventSource => ({
  run_id: "",
  session_id,
  component_type: kind,
  component_id: id,
  name,
});

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function* single(frame: string): AsyncGenerator<string> {
  yield frame;
}

/**
 * Refuses a run whose answer could not be checked, before anything of it is stored.
 *
 * @throws ServiceError BAD_REQUEST when the schema is invalid, or exceeds the limits for schemas of clients
 * @decided  Text that is not even JSON is dropped, as the wire has it; a schema that cannot be used would let the run
 *           be paid for and then fail.
 */
export async function requireUsableSchema(schema: Record<string, unknown> | undefined): Promise<void> {
  if (!schema) return;
  const { $schema: _, ...rest } = schema;
  const compiled = await compileSchema(rest);
  if (!compiled.usable)
    throw new ServiceError("BAD_REQUEST", `output_schema cannot be used. ${compiled.reason}`);
}

/** One medium of a run's input: its description, and its bytes unless they are elsewhere. */
export type ReadMedia = {
  readonly kind: MediaKind;
  readonly described: Omit<Media, "id"> & { readonly id?: string };
  readonly bytes: Uint8Array | undefined;
  /** Set where this platform has stored it already. */
  readonly object?: ObjectPointer;
};

/** The fields of a form that bring media. */
export type MediaFields = Pick<
  CreateRunForm,
  "files" | "files_metadata" | "images" | "videos" | "audio" | "input_files"
>;

/**
 * Collects uploads and media fields of a form. Nothing is stored yet, so a refused form leaves nothing behind.
 *
 * @param mayPoint  whether media may point to stored objects; only the platform's own requests may
 * @throws ServiceError BAD_REQUEST for an upload of a type that no run takes, and for an empty one
 */
export function readMedia(form: MediaFields, mayPoint = false): ReadMedia[] {
  const uploads = (form.files ?? []).map((file, at) => readUpload(file, form.files_metadata?.[at]));
  const media = [
    ...uploads,
    ...readField("images", form.images, mayPoint),
    ...readField("videos", form.videos, mayPoint),
    ...readField("audios", form.audio, mayPoint),
    ...readField("files", form.input_files, mayPoint),
  ];
  for (const { bytes, described, kind } of media) {
    if (bytes?.length === 0)
      throw new ServiceError("BAD_REQUEST", `${described.filename ?? `a file in ${kind}`} is empty`);
  }
  return media.map(withPictureType);
}

/** Services refuse a picture that is not of the type that it is said to be. */
function withPictureType(medium: ReadMedia): ReadMedia {
  const { kind, bytes, described } = medium;
  const mime_type = kind === "images" && bytes ? pictureTypeOf(bytes) : undefined;
  return mime_type === undefined ? medium : { ...medium, described: { ...described, mime_type } };
}

function readUpload({ filename, mime_type, bytes }: UploadedFile, metadata: unknown): ReadMedia {
  const route = mediaRoute(mime_type, filename);
  if (!route)
    throw new ServiceError("BAD_REQUEST", `${filename}: uploads of type ${mime_type} are not supported`);
  const { kind, ...described } = route;
  return { kind, described: { ...described, filename, ...(isObject(metadata) && { metadata }) }, bytes };
}

function readField(kind: MediaKind, media: readonly GivenMedia[] = [], mayPoint = false): ReadMedia[] {
  return media.map(({ content, object: pointer, ...fields }) => {
    const { id, format, mime_type, filename, ...rest } = fields;
    const type = typeof mime_type === "string" ? plainType(mime_type) : mime_type;
    const described = { ...rest, ...texts({ id, format, mime_type: type, filename }) };
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

/** Why a run would be refused for its files; undefined where it would not. */
export function filesRefusal(
  form: MediaFields,
  runnable: Runnable,
  models: Pick<Models, "describe">,
): string | undefined {
  try {
    refuseUnshownFiles(readMedia(form), runnable, models);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/**
 * Refuses files that the model of a run could not be shown, before anything is stored: it would answer as if they were not
 * there. The steps of a workflow have models of their own.
 *
 * @throws ServiceError BAD_REQUEST that names the file
 */
export function refuseUnshownFiles(
  media: readonly ReadMedia[],
  runnable: Runnable,
  models: Pick<Models, "describe">,
): void {
  if (runnable.kind === "workflow") return;
  const view = modelViewOf(runnable, models);
  const provider = providerOf(view.provider);
  for (const { kind, described } of media) {
    const [mime_type, format, filename, url] = ["mime_type", "format", "filename", "url"].map((name) =>
      textIn(described[name]),
    );
    const type = typeOfMedium(kind, { mime_type, format });
    const treatment = fileTreatment(provider, type);
    const isUnreachable = url !== undefined && !(treatment === "native" && takesAddress(provider, type));
    if (treatment !== "refused" && !isUnreachable) continue;
    const name = filename ?? url ?? `a file in ${kind}`;
    const how =
      treatment === "refused"
        ? "cannot be shown at all"
        : "can be shown only by its content, not by its address";
    throw new ServiceError(
      "BAD_REQUEST",
      `${name} is of the type ${type}, which the model of this ${runnable.kind} (${view.provider}) ${how}`,
    );
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
