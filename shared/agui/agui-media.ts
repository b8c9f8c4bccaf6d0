import { type ContentPart, type Event, EventType } from "@ag-ui/core";
import { listMedia } from "../domain/runs/output-media.ts";
import type { Media, MediaKind, OutputMedia } from "../schemas/runs/media.ts";
import { isObject } from "../schemas/values/json-values.ts";

const types = {
  images: "image",
  videos: "video",
  audios: "audio",
  files: "document",
} as const satisfies Record<MediaKind, ContentPart["type"]>;

/** A file as front ends receive it. */
export type AguiFile = {
  readonly type: (typeof types)[MediaKind];
  readonly id: string;
  readonly mime_type?: string;
  readonly filename?: string;
  /** Readable by anybody who has it: for an hour where the platform stores the file. */
  readonly url?: string;
  /** On this service, for the credential that reads the session; as long as the session exists. */
  readonly path?: string;
};

/** Lists of media, as events and records have them; null for kinds without media. */
export type MediaLists = { readonly [Kind in keyof OutputMedia]?: readonly Media[] | null | undefined };

/** The files in a value, whose stored media have been given addresses. */
export const filesIn = (session_id: string, lists: MediaLists): AguiFile[] =>
  listMedia(lists as Parameters<typeof listMedia>[0]).map(([kind, medium]) =>
    fileOf(session_id, kind, medium),
  );

/** The files in an event, wherever its kind of event has them. */
export function filesOfEvent(session_id: string, event: object): AguiFile[] {
  const { step_output, step_response } = event as { readonly [name: string]: unknown };
  const lists = [event, step_output, step_response].filter(isObject) as MediaLists[];
  const files = lists.flatMap((one) => filesIn(session_id, one));
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

function fileOf(
  session_id: string,
  kind: MediaKind,
  { id, mime_type, filename, url, ...more }: Media,
): AguiFile {
  const { media_reference } = more as { readonly media_reference?: unknown };
  const key = isObject(media_reference) ? media_reference.storage_key : undefined;
  const path = `/sessions/${encodeURIComponent(session_id)}/media/${encodeURIComponent(String(key))}`;
  return {
    ...{ type: types[kind], id },
    ...(mime_type !== undefined && { mime_type }),
    ...(filename !== undefined && { filename }),
    ...(url !== undefined && { url }),
    ...(key !== undefined && { path }),
  };
}

/** Files as parts of a message; one without an address is left out. */
export const partsOf = (files: readonly AguiFile[]): ContentPart[] =>
  files.flatMap(({ type, url, mime_type, ...metadata }) =>
    url === undefined
      ? []
      : [{ type, source: { type: "url", value: url, ...(mime_type && { mimeType: mime_type }) }, metadata }],
  );

/** A text with its files. */
export const contentOf = (text: string, files: readonly AguiFile[]): string | ContentPart[] => {
  const parts = partsOf(files);
  return parts.length === 0 ? text : [...(text === "" ? [] : [{ type: "text" as const, text }]), ...parts];
};

/** Files for which the protocol has no place: those of the assistant's own messages, and those of steps. */
export const mediaEvent = (run_id: string, files: readonly AguiFile[]): Event[] =>
  files.length === 0 ? [] : [{ type: EventType.CUSTOM, name: "media", value: { run_id, media: files } }];
