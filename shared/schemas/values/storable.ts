import { fault } from "./fields.ts";

/** Bounds on the magnitude of DynamoDB's numbers, except zero. @source DynamoDB developer guide, "Data types", Number */
const SMALLEST = 1e-130;
const LARGEST = 9.9e125;

/** Most levels of a value within an item, which has 32 in all. @source DynamoDB quotas, "Nested attribute depth" */
const MAX_DEPTH = 24;

/** A UTF-16 unit needs at most three bytes. @source DynamoDB quotas, attribute names: 64 KB */
const MAX_NAME_LENGTH = 20_000;

/** Whether a JSON value can be stored as an attribute of an item. */
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
 * @decided  Marshalling objects to attributes loses `__proto__` and takes `constructor` for their class; a schema drops
 *           `prototype` at the top of a record. So they are refused rather than lost.
 */
const isName = (name: string, depth: number): boolean =>
  name !== "" &&
  name.length <= MAX_NAME_LENGTH &&
  name !== "__proto__" &&
  name !== "constructor" &&
  (depth > 0 || name !== "prototype");

/** The rules for a value that can be stored, for error texts. */
export const STORABLE =
  `numbers must lie between ${SMALLEST} and ${LARGEST}, nothing may be nested more than ${MAX_DEPTH} levels deep, ` +
  `and names must have 1 to ${MAX_NAME_LENGTH} characters and not be __proto__ or constructor, nor prototype at the top`;

export const unstorable = fault("value_error", `Value error, ${STORABLE}`);
