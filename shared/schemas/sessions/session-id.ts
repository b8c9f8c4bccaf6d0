import * as v from "valibot";
import { fitsKey } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";

/** Longest id of a session, in characters. */
export const MAX_SESSION_ID_CHARS = 255;

/** A session id from a client; it is a part of keys. */
export const SessionId = v.pipe(
  v.string(),
  maxChars(MAX_SESSION_ID_CHARS),
  v.check(fitsKey, "must be shorter: it does not fit into a key"),
);

/** The same in a form, where an empty field means "not given". */
export const optionalSessionId = () =>
  v.optional(
    v.pipe(
      SessionId,
      v.transform((text) => (text === "" ? undefined : text)),
    ),
  );
