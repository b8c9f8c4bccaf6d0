import * as v from "valibot";
import { fault } from "./fields.ts";

/** A finite number written as text. */
export function numberText() {
  return v.pipe(
    v.string(),
    v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
      const value = Number(dataset.value);
      if (dataset.value.trim() !== "" && Number.isFinite(value)) return value;
      addIssue({
        message: fault("float_parsing", "Input should be a valid number, unable to parse string as a number"),
      });
      return NEVER;
    }),
    v.metadata({ jsonSchema: { type: "number" } }),
  );
}
