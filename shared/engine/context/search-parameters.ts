import * as v from "valibot";

const MAX_PATTERN = 500;
const MAX_CONTEXT_LINES = 20;

/** What a model gives a search in a text. @param pattern  the description of its pattern */
export const searchParameters = (pattern: string) => ({
  pattern: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_PATTERN), v.description(pattern)),
  context_lines: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(MAX_CONTEXT_LINES),
      v.description("lines to show before and after each match; 2 when left out"),
    ),
  ),
});
