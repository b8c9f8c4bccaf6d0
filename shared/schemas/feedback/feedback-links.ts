import * as v from "valibot";
import { describedAs } from "../values/described-as.ts";

/** By key the address of the page on which it is given. */
export const FeedbackLinks = v.record(v.string(), v.string());
export type FeedbackLinks = v.InferOutput<typeof FeedbackLinks>;

const KEYS = /^[a-z0-9_-]{1,64}( *, *[a-z0-9_-]{1,64}){0,19}$/;

/** Keys of feedback in a field of a form, separated by commas. Empty means "not given". */
export const FeedbackKeysText = v.optional(
  v.pipe(
    describedAs(v.string(), { type: "string", pattern: KEYS.source }),
    v.check(
      (text) => text === "" || KEYS.test(text),
      "must be up to 20 keys of a-z, 0-9, _ and -, separated by commas",
    ),
    v.transform((text) => (text === "" ? undefined : [...new Set(text.split(/ *, */))])),
  ),
);
