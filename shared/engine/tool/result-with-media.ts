import type { GivenMedium } from "../model/given-medium.ts";

/** A tool's result with files beside its text. */
export type ResultWithMedia = { readonly text: string; readonly media: readonly GivenMedium[] };

const results = new WeakSet<object>();

/**
 * Returns files with a tool's text. They are in the run's output, are sent to chats, and are shown to the model as far
 * as it can read them; see `save-media.ts` for the limits of a run.
 *
 * @example  execute: ({ text }) => resultWithMedia("Here it is.", [{ mime_type: "image/png", bytes: draw(text) }])
 */
export function resultWithMedia(text: string, media: readonly GivenMedium[]): ResultWithMedia {
  const result = { text, media };
  results.add(result);
  return result;
}

/** Distinguishes such a result from a plain object of the same shape. */
export const isResultWithMedia = (value: unknown): value is ResultWithMedia =>
  typeof value === "object" && value !== null && results.has(value);
