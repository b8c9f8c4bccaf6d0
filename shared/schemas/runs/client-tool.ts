import * as v from "valibot";

/**
 * A tool that the client of one run brings along: it executes the calls itself and sends the results. Model providers accept no
 * other characters in a name, and at most 64.
 */
export const ClientTool = v.object({
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -")),
  description: v.optional(v.string()),
  /** JSON Schema of an object; a tool without one takes no arguments. */
  parameters: v.nullish(v.record(v.string(), v.unknown())),
});
export type ClientTool = v.InferOutput<typeof ClientTool>;
