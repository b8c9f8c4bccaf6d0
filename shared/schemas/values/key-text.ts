import * as v from "valibot";

/** Index keys hold 2,048 bytes, and no character needs more than nine of them there. */
const MAX_CHARS = 200;

/** Room for a client's text in a key of 1,024 bytes, which holds more than that. */
const MAX_PART_BYTES = 1000;

/** Whether a text can be a part of any key: keys hold it percent-encoded. */
export const fitsKey = (text: string): boolean =>
  encodeURIComponent(text.toWellFormed()).length <= MAX_PART_BYTES;

/** What a client sends that becomes part of a key. Half a surrogate pair is no text and could not be written there. */
export const KeyText = v.pipe(
  v.string(),
  v.maxLength(MAX_CHARS),
  v.check((text) => text.isWellFormed(), "must be text"),
);

/** The same in a query, where empty means "not given". */
export const OptionalKeyText = v.optional(
  v.pipe(
    KeyText,
    v.transform((text) => (text === "" ? undefined : text)),
  ),
);
