import * as v from "valibot";
import { ObjectPointer } from "../values/object-pointer.ts";

/**
 * An image, a recording or a document of a run's input or output. Stored with `object` or `url`; shown with `content`
 * (base64, or the text itself for `text/*`) or `url`. Other members that the client sent are stored unchanged.
 */
export const Media = v.looseObject({
  id: v.string(),
  format: v.optional(v.string()),
  mime_type: v.optional(v.string()),
  filename: v.optional(v.string()),
  url: v.optional(v.string()),
  content: v.optional(v.string()),
  object: v.optional(ObjectPointer),
});
export type Media = v.InferOutput<typeof Media>;

/** Media of a run's input, by kind. Empty kinds are left out. */
export const InputMedia = v.object({
  images: v.optional(v.array(Media)),
  videos: v.optional(v.array(Media)),
  audios: v.optional(v.array(Media)),
  files: v.optional(v.array(Media)),
});
export type InputMedia = v.InferOutput<typeof InputMedia>;
/** Media of messages, of a run's output and of its events, by kind. Empty kinds are left out. */
export const OutputMedia = v.object({
  images: v.optional(v.array(Media)),
  audio: v.optional(v.array(Media)),
  videos: v.optional(v.array(Media)),
  files: v.optional(v.array(Media)),
});
export type OutputMedia = v.InferOutput<typeof OutputMedia>;

export const mediaKinds = ["images", "videos", "audios", "files"] as const satisfies (keyof InputMedia)[];
export type MediaKind = (typeof mediaKinds)[number];
