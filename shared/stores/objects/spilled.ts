import * as v from "valibot";
import { ObjectPointer } from "../../schemas/values/object-pointer.ts";

/** Bytes that an item holds itself, or points to where they would make it too large. */
export const Spilled = v.union([v.instance(Uint8Array), ObjectPointer]);
export type Spilled = v.InferOutput<typeof Spilled>;

/** Fields that a record is kept without, packed, by their names. */
export const Large = v.record(v.string(), Spilled);
export type Large = v.InferOutput<typeof Large>;
