import * as v from "valibot";

/** Somebody who can be written to; stored agents may be asked to answer with one. */
export const contact = v.pipe(v.object({ name: v.string(), email: v.string() }), v.title("Contact"));
