import * as v from "valibot";

/** Where a value is that is too large for its item, and the checksum to verify it. */
export const ObjectPointer = v.object({
  key: v.string(),
  /** Of the stored bytes, in hexadecimal. */
  sha256: v.string(),
  bytes: v.number(),
});
export type ObjectPointer = v.InferOutput<typeof ObjectPointer>;
