import * as v from "valibot";

/** Function name by family, for a function that calls others: JSON text. */
export const FamilyFunctions = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));
export type FamilyFunctions = v.InferOutput<typeof FamilyFunctions>;
