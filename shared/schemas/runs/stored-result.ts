import * as v from "valibot";

/** Where the whole text of a tool's result is that a model is shown head and tail of. */
export const StoredResult = v.object({
  /** `res_` and ten hexadecimal digits. */
  result_id: v.string(),
  lines: v.number(),
  /** UTF-16 code units. */
  chars: v.number(),
  /** The first 16 hexadecimal digits of the text's SHA-256. */
  digest: v.string(),
  /** False where it was too large to be kept: then head and tail are all there is. */
  stored: v.boolean(),
});
export type StoredResult = v.InferOutput<typeof StoredResult>;
