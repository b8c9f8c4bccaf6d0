import * as v from "valibot";

/** Where a value is that is too large for the item it belongs to, and how to tell that it is the one that was written. */
export const ObjectPointer = v.object({
  key: v.string(),
  /** Of the stored bytes, in hexadecimal. */
  sha256: v.string(),
  bytes: v.number(),
});
export type ObjectPointer = v.InferOutput<typeof ObjectPointer>;
