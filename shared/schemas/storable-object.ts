import * as v from "valibot";
import { fault, jsonObject } from "./fields.ts";

/** Magnitudes that the table's numbers have, zero aside. @source DynamoDB developer guide, "Data types", Number */
const SMALLEST = 1e-130;
const LARGEST = 9.9e125;

/** Levels of a value within an item, which has 32 in all. @source DynamoDB quotas, "Nested attribute depth" */
const MAX_DEPTH = 24;

/** Whether a JSON value can be kept as an attribute of an item. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === "number") {
    return value === 0 || (Math.abs(value) >= SMALLEST && Math.abs(value) <= LARGEST);
  }
  if (typeof value !== "object" || value === null) return true;
  return depth < MAX_DEPTH && Object.values(value).every((inner) => isStorable(inner, depth + 1));
}

const UNSTORABLE = `numbers must lie between ${SMALLEST} and ${LARGEST}, and nothing may be nested more than ${MAX_DEPTH} levels deep`;

/** An object of a JSON body that is kept as it is, as an attribute of an item. */
export const storableObject = () =>
  v.pipe(
    jsonObject(),
    v.check((value) => isStorable(value), fault("value_error", `Value error, ${UNSTORABLE}`)),
  );
