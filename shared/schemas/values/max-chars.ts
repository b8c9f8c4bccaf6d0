import * as v from "valibot";

/**
 * The longest a text may be, in characters (Unicode code points), as OpenAPI and the clients of this interface count.
 * `maxLength` of Valibot counts UTF-16 units: an emoji is two of them.
 */
export function maxChars(most: number): v.MaxLengthAction<string, number, undefined> {
  const units = v.maxLength<string, number>(most);
  const run: (typeof units)["~run"] = (dataset, config) =>
    dataset.typed && dataset.value.length > most && charsIn(dataset.value) <= most
      ? dataset
      : units["~run"](dataset, config);
  return { ...units, "~run": run };
}

/** Code points of a text. */
export function charsIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
