import * as v from "valibot";

/** What an employee asks to be paid back. */
export const claimSchema = v.object({
  employee: v.string(),
  category: v.picklist(["travel", "meals"]),
  amount: v.pipe(v.number(), v.gtValue(0)),
  reason: v.string(),
});
export type Claim = v.InferOutput<typeof claimSchema>;

/** From here on a person decides. */
export const LARGE = 500;

/** A workflow's input is text; `input_schema` has found it to be JSON of this shape before the first step. */
export const claimOf = (input: unknown): Claim => v.parse(claimSchema, JSON.parse(String(input)));
