import * as v from "valibot";

/** Index keys hold 2,048 bytes, and no character needs more than nine of them there. */
const MAX_CHARS = 200;

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
