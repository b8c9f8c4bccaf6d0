import * as v from "valibot";

/** A person with an address; stored agents may use it as their output schema. */
export const contact = v.pipe(v.object({ name: v.string(), email: v.string() }), v.title("Contact"));
