import * as v from "valibot";

/** Name of a secret in Secrets Manager. */
export const SecretName = v.pipe(v.string(), v.regex(/^[\w/+=.@-]+$/, "must be the name of a secret"));
