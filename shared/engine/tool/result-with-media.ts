import type { GivenMedium } from "../model/given-medium.ts";

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
