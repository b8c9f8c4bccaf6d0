import { fault } from "./fields.ts";

/** Magnitudes that the table's numbers have, zero aside. @source DynamoDB developer guide, "Data types", Number */
const SMALLEST = 1e-130;
const LARGEST = 9.9e125;

/** Levels of a value within an item, which has 32 in all. @source DynamoDB quotas, "Nested attribute depth" */
const MAX_DEPTH = 24;

/** No character needs more than three bytes for each of its units. @source DynamoDB quotas, attribute names: 64 KB */
const MAX_NAME_LENGTH = 20_000;

/** Whether a JSON value can be kept as an attribute of an item. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === "number") {
    return value === 0 || (Math.abs(value) >= SMALLEST && Math.abs(value) <= LARGEST);
  }
  if (typeof value !== "object" || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((inner) => isStorable(inner, depth + 1));
  return Object.entries(value).every(([name, inner]) => isName(name, depth) && isStorable(inner, depth + 1));
}

/**
 * @source DynamoDB developer guide, "Naming rules"
 * @decided  Where objects become attributes, `__proto__` is lost and `constructor` taken for their class; where a schema
 *           reads a record, `prototype` is dropped at its top. So they are refused rather than lost.
 */
const isName = (name: string, depth: number): boolean =>
  name !== "" &&
  name.length <= MAX_NAME_LENGTH &&
  name !== "__proto__" &&
  name !== "constructor" &&
  (depth > 0 || name !== "prototype");

/** What is asked of a value that cannot be kept. */
export const STORABLE =
  `numbers must lie between ${SMALLEST} and ${LARGEST}, nothing may be nested more than ${MAX_DEPTH} levels deep, ` +
  `and names must have 1 to ${MAX_NAME_LENGTH} characters and not be __proto__ or constructor, nor prototype at the top`;

export const unstorable = fault("value_error", `Value error, ${STORABLE}`);
