import * as v from "valibot";
import { ObjectPointer } from "../../schemas/values/object-pointer.ts";

/** Bytes in an item, or a pointer to an object if they would make the item too large. */
export const Spilled = v.union([v.instance(Uint8Array), ObjectPointer]);
export type Spilled = v.InferOutput<typeof Spilled>;

/** Fields that were taken out of a record, packed, by their names. */
export const Large = v.record(v.string(), Spilled);
export type Large = v.InferOutput<typeof Large>;
