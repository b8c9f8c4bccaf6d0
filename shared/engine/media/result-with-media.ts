import type { MediaKind } from "../../schemas/runs/media.ts";

/** A file that a tool gives: its bytes, or where it is (http or https). */
export type GivenMedium = {
  /** Such as `image/png`. */
  readonly mime_type: string;
  readonly filename?: string;
  /** What it stands for in words; a caption where it is sent to a chat. */
  readonly alt_text?: string;
  /** What it is treated as; follows from the type when absent. `files` has a picture sent as a document. */
  readonly kind?: MediaKind;
} & ({ readonly bytes: Uint8Array } | { readonly url: string });

/** What a tool answers that gives files beside its text. */
export type ResultWithMedia = { readonly text: string; readonly media: readonly GivenMedium[] };

const results = new WeakSet<object>();

/**
 * Gives files with a tool's text. They are shown in the run's output, sent to chats, and shown to the model as far as it
 * can see them; see `keep-media.ts` for how much a run keeps.
 *
 * @example  execute: ({ text }) => resultWithMedia("Here it is.", [{ mime_type: "image/png", bytes: draw(text) }])
 */
export function resultWithMedia(text: string, media: readonly GivenMedium[]): ResultWithMedia {
  const result = { text, media };
  results.add(result);
  return result;
}

/** Tells such a result from a plain object that only looks like it. */
export const isResultWithMedia = (value: unknown): value is ResultWithMedia =>
  typeof value === "object" && value !== null && results.has(value);
