import * as v from "valibot";

/** Index keys have at most 2,048 bytes, and no character needs more than nine of them there. */
const MAX_CHARS = 200;

/** Room for a client's text in a key of 1,024 bytes, which has other parts too. */
const MAX_PART_BYTES = 1000;

/** Whether a text fits as a part of any key, percent-encoded. */
export const fitsKey = (text: string): boolean =>
  encodeURIComponent(text.toWellFormed()).length <= MAX_PART_BYTES;

/** A client's text that becomes part of a key. A lone surrogate is refused: it could not be stored. */
export const KeyText = v.pipe(
  v.string(),
  v.maxLength(MAX_CHARS),
  v.check((text) => text.isWellFormed(), "must be text"),
);

/** The same in a query, where an empty value means "not given". */
export const OptionalKeyText = v.optional(
  v.pipe(
    KeyText,
    v.transform((text) => (text === "" ? undefined : text)),
  ),
);
