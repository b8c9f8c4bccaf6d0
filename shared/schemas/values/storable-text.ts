import * as v from "valibot";
import { jsonTextOf } from "./described-as.ts";
import { isObject, parsedJson } from "./json-values.ts";
import { isStorable, unstorable } from "./storable.ts";

/**
 * JSON of a form that is stored unchanged. Malformed text reads as undefined and the request continues: clients of this
 * wire rely on never getting a 422 for it. Values that cannot be stored are refused: without them the request would do
 * something else.
 */
export const storableText = () =>
  v.pipe(
    v.string(),
    v.rawTransform<string, unknown>(({ dataset, addIssue, NEVER }) => {
      const value = parsedJson(dataset.value);
      if (isStorable(value)) return value;
      addIssue({ message: unstorable });
      return NEVER;
    }),
    v.metadata({ jsonSchema: { type: "string", contentMediaType: "application/json" } }),
  );

/** An object in such a field; any other value is ignored. */
export const storableObjectText = () =>
  v.optional(
    v.pipe(
      storableText(),
      v.transform((value) => (isObject(value) ? value : undefined)),
      v.metadata({ jsonSchema: jsonTextOf({ type: "object" }) }),
    ),
  );

/** The same for a field whose value decides what is done: text that is no JSON object is refused. */
export const requiredObjectText = () =>
  v.optional(
    v.pipe(
      storableText(),
      v.check(isObject, "This must be a JSON object"),
      v.transform((value) => value as Record<string, unknown>), // just checked
      v.metadata({ jsonSchema: jsonTextOf({ type: "object" }) }),
    ),
  );
