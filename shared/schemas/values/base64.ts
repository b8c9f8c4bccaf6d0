import * as v from "valibot";

/** Bytes as text, with or without padding. @source RFC 4648, sections 4 and 5; ProtoJSON takes both alphabets */
const BASE64 = /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$/;

/** Text that is bytes: nothing of it would be skipped by a lenient decoder. */
export const Base64 = v.pipe(
  v.string(),
  v.check((text) => BASE64.test(text) && text.replace(/=+$/, "").length % 4 !== 1, "is not base64"),
);
