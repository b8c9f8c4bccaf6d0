import * as v from "valibot";
import { isObject } from "./json-values.ts";

/**
 * Fields that arrive as text (query, path, form), and validation errors with the `type` names that clients of this wire
 * expect in a 422 body. The type is a prefix of the message; `http/validation-errors.ts` splits it off.
 *
 * @source docs/interface/platform.md 2.2, 2.3
 */
export const fault = (type: string, msg: string): string => `${type}|${msg}`;

const INTEGER = /^\s*[+-]?\d+\s*$/;

/** An integer written as text. Bounds are inclusive; without them it is any integer that a double holds exactly. */
export function integerText({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
}: {
  readonly min?: number;
  readonly max?: number;
} = {}) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
      const value = Number(dataset.value);
      if (!INTEGER.test(dataset.value) || !Number.isSafeInteger(value)) {
        addIssue({
          message: fault(
            "int_parsing",
            "Input should be a valid integer, unable to parse string as an integer",
          ),
        });
        return NEVER;
      }
      if (value < min) {
        addIssue({ message: fault("greater_than_equal", `Input should be greater than or equal to ${min}`) });
        return NEVER;
      }
      if (value > max) {
        addIssue({ message: fault("less_than_equal", `Input should be less than or equal to ${max}`) });
        return NEVER;
      }
      return value;
    }),
    v.metadata({ jsonSchema: { type: "integer", minimum: min, maximum: max } }),
  );
}

/** An integer of a JSON body; text is accepted too. Bounds are inclusive. */
export function integer({ min, max }: { min: number; max: number }) {
  const written = integerText({ min, max });
  const counted = v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
  return v.pipe(
    v.lazy((input) => (typeof input === "string" ? written : counted)),
    v.metadata({ jsonSchema: { type: "integer", minimum: min, maximum: max } }),
  );
}

const TRUE_WORDS = new Set(["true", "1", "yes", "on", "y", "t"]);
const FALSE_WORDS = new Set(["false", "0", "no", "off", "n", "f"]);

/** A boolean written as text: true/false, 1/0, yes/no, on/off, in any case. */
export function booleanText() {
  return v.pipe(
    v.string(),
    v.rawTransform<string, boolean>(({ dataset, addIssue, NEVER }) => {
      const word = dataset.value.trim().toLowerCase();
      if (TRUE_WORDS.has(word)) return true;
      if (FALSE_WORDS.has(word)) return false;
      addIssue({
        message: fault("bool_parsing", "Input should be a valid boolean, unable to interpret input"),
      });
      return NEVER;
    }),
    v.metadata({ jsonSchema: { type: "boolean" } }),
  );
}

/** Text that must not be empty; empty text counts as missing. */
export function requiredText() {
  return v.pipe(v.string(), v.minLength(1, fault("missing", "Field required")));
}

/** Text where an empty value means "not given". */
export function optionalText() {
  return v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => (text === "" ? undefined : text)),
    ),
  );
}

/**
 * An object of a JSON body, with every member that was sent. Valibot's record would drop members named `__proto__`,
 * `constructor` and `prototype`: a filter by such a name would not filter.
 */
export function jsonObject() {
  return v.pipe(
    v.unknown(),
    v.check(isObject, fault("dict_type", "Input should be a valid dictionary")),
    v.transform((value) => value as Record<string, unknown>), // as checked
    v.metadata({ jsonSchema: { type: "object" } }),
  );
}
