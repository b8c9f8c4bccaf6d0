import * as v from "valibot";
import { ObjectPointer } from "../values/object-pointer.ts";

/**
 * An image, a recording or a document that a run was given, or made. Kept with `object` or `url`; shown with `content` (base64,
 * or the text itself for `text/*`) or `url`. What else the client said of it is kept as it came.
 *
 * @source contract, runs-and-queue 3.4
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

/** Media by kind, as a run's input carries them. Empty kinds are left out. */
export const InputMedia = v.object({
  images: v.optional(v.array(Media)),
  videos: v.optional(v.array(Media)),
  audios: v.optional(v.array(Media)),
  files: v.optional(v.array(Media)),
});
export type InputMedia = v.InferOutput<typeof InputMedia>;
/** Media by kind, as messages, a run's output and its events carry them. Empty kinds are left out. */
export const OutputMedia = v.object({
  images: v.optional(v.array(Media)),
  audio: v.optional(v.array(Media)),
  videos: v.optional(v.array(Media)),
  files: v.optional(v.array(Media)),
});
export type OutputMedia = v.InferOutput<typeof OutputMedia>;

export const mediaKinds = ["images", "videos", "audios", "files"] as const satisfies (keyof InputMedia)[];
export type MediaKind = (typeof mediaKinds)[number];
