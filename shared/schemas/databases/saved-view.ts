import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { fault } from "../values/fields.ts";

const NAME_CHARS = 60;
const ADDRESS_CHARS = 2_000;

const atMost = (chars: number) =>
  v.maxLength<string, number, string>(
    chars,
    fault("string_too_long", `String should have at most ${chars} characters`),
  );

/** An address of the console itself, and of nothing else. */
const ADDRESS = /^\/([^/\s\\][^\s\\]*)?$/;

/** A screen of the console with its filters, under a name that its reader gave it. */
export const SavedView = v.object({
  name: meaning(
    v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, fault("string_too_short", "String should have at least 1 character")),
      atMost(NAME_CHARS),
    ),
    "What it is called; unique for its reader",
  ),
  to: meaning(
    v.pipe(
      v.string(),
      atMost(ADDRESS_CHARS),
      v.regex(
        ADDRESS,
        fault("string_pattern_mismatch", "String should be an address of the console, such as /runs"),
      ),
    ),
    "Address within the console, with its query",
  ),
});
export type SavedView = v.InferOutput<typeof SavedView>;

/** In the order in which they were saved. */
export const SavedViews = v.object({ data: v.array(SavedView) });
