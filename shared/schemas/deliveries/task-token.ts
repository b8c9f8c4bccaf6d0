import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { optionalText } from "../values/fields.ts";
import { maxChars } from "../values/max-chars.ts";

/** @source Step Functions API reference, "SendTaskSuccess": length of a task's token */
const MAX_CHARS = 2_048;

/** Field of the form of a run. */
export const taskField = {
  task_token: meaning(
    v.pipe(optionalText(), v.optional(v.pipe(v.string(), maxChars(MAX_CHARS)))),
    "Token of a task of Step Functions that ends with the run; background runs only. No answer shows it",
  ),
} as const;
