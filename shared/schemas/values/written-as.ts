import * as v from "valibot";

/**
 * A stored value that is read as freely as `read` says, so that records of earlier versions stay readable, and typed and
 * described as what is written today.
 *
 * @param written  one of the named schemas of the interface description
 */
export const writtenAs = <Written extends v.GenericSchema>(
  read: v.GenericSchema,
  written: Written,
): v.GenericSchema<v.InferOutput<Written>> =>
  // The type is that of what is written; nothing else was ever written there.
  v.pipe(read, v.metadata({ describedBy: written })) as v.GenericSchema<v.InferOutput<Written>>;
