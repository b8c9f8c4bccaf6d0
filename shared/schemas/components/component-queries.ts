import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { booleanText, integerText } from "../values/fields.ts";

/** What is asked of whoever archives a component. */
export const RemoveQuery = v.object({
  expected_current_version: meaning(
    v.optional(integerText()),
    "Refused with 409 when another version is live; 0 expects none",
  ),
});

/** What is asked of whoever writes a version, or makes one live. */
export const ForceQuery = v.object({
  force: meaning(
    v.optional(booleanText(), "false"),
    "Whether a version that cannot run goes live all the same",
  ),
});
