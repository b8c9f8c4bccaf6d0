import * as v from "valibot";
import { maxChars } from "./max-chars.ts";

const MAX_CHARS = 200;
/** Percent-encoded. Index keys have at most 2,048 bytes, and there are other parts in them. */
const MAX_ENCODED_CHARS = 1_800;

/** Room for a client's text in a key of 1,024 bytes, which has other parts too. */
const MAX_PART_BYTES = 1000;

/** Whether a text fits as a part of any key, percent-encoded. */
export const fitsKey = (text: string): boolean =>
  encodeURIComponent(text.toWellFormed()).length <= MAX_PART_BYTES;

const fitsIndex = (text: string): boolean =>
  encodeURIComponent(text.toWellFormed()).length <= MAX_ENCODED_CHARS;

/** A client's text that becomes part of a key. A lone surrogate is refused: it could not be stored. */
export const KeyText = v.pipe(
  v.string(),
  maxChars(MAX_CHARS),
  v.check((text) => text.isWellFormed(), "must be text"),
  // One that has too many characters is refused for that.
  v.check((text) => text.length > 2 * MAX_CHARS || fitsIndex(text), "must be shorter"),
);

/** The same in a query, where an empty value means "not given". */
export const OptionalKeyText = v.optional(
  v.pipe(
    KeyText,
    v.transform((text) => (text === "" ? undefined : text)),
  ),
);
