import type * as v from "valibot";
import type { ValidationError } from "./invalid-input.ts";

type Place = "path" | "query" | "body";
type Wording = Pick<ValidationError, "type" | "msg" | "ctx">;

const NOT_A_DICTIONARY: Wording = { type: "dict_type", msg: "Input should be a valid dictionary" };
const NOT_AN_OBJECT: Wording = {
  type: "model_attributes_type",
  msg: "Input should be a valid dictionary or object to extract fields from",
};

/** Valibot's issue types on the left, the error types of this interface on the right. */
const TYPE_WORDINGS: ReadonlyMap<string, Wording> = new Map(
  Object.entries({
    string: { type: "string_type", msg: "Input should be a valid string" },
    number: { type: "float_type", msg: "Input should be a valid number" },
    integer: {
      type: "int_from_float",
      msg: "Input should be a valid integer, got a number with a fractional part",
    },
    boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
    array: { type: "list_type", msg: "Input should be a valid list" },
    object: NOT_A_DICTIONARY,
    loose_object: NOT_A_DICTIONARY,
    strict_object: NOT_A_DICTIONARY,
    object_with_rest: NOT_A_DICTIONARY,
    record: NOT_A_DICTIONARY,
  }),
);

/**
 * Converts one valibot issue to the validation errors of this interface.
 *
 * @param issue  one made by `fault()` carries its own type in front of its message
 * @returns several items where none of several alternatives fits
 * @source docs/interface/platform.md 2.2
 */
export function validationErrors(place: Place, issue: v.BaseIssue<unknown>): ValidationError[] {
  return errorsAt([place, ...keysOf(issue)], issue);
}

/** The error for a part of the request that is not an object. */
export const notAnObject = (loc: ValidationError["loc"], input: unknown): ValidationError =>
  errorOf(loc, loc.length === 1 ? NOT_AN_OBJECT : NOT_A_DICTIONARY, input);

const keysOf = (issue: v.BaseIssue<unknown>): (string | number)[] =>
  (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));

function errorsAt(loc: readonly (string | number)[], issue: v.BaseIssue<unknown>): ValidationError[] {
  if (isMissing(issue)) {
    // There is no value to show, so the object that lacks the member is shown.
    const parent = issue.path?.at(-1);
    return [
      errorOf(
        loc,
        { type: "missing", msg: "Field required" },
        parent && "input" in parent ? parent.input : null,
      ),
    ];
  }
  if (issue.type === "union" && issue.issues) {
    return issue.issues.flatMap((one) => errorsAt([...loc, ...keysOf(one)], one));
  }
  return [errorOf(loc, ownWording(issue) ?? wording(issue, loc.length === 1), issue.input)];
}

function errorOf(loc: ValidationError["loc"], worded: Wording, input: unknown): ValidationError {
  const { type, msg, ctx } = worded;
  return { type, loc, msg, input, ...(ctx && { ctx }) };
}

/** An absent member: valibot names the key it expected, in quotes. */
function isMissing(issue: v.BaseIssue<unknown>): boolean {
  return issue.received === "undefined" && (issue.kind === "schema" || issue.input === undefined);
}

function ownWording({ message }: v.BaseIssue<unknown>): Wording | undefined {
  const named = /^([a-z_]+)\|([\s\S]*)$/.exec(message);
  const [, type, msg] = named ?? [];
  return type === undefined || msg === undefined ? undefined : { type, msg };
}

function wording(issue: v.BaseIssue<unknown>, isWhole: boolean): Wording {
  const known = TYPE_WORDINGS.get(issue.type);
  if (known?.type === "dict_type" && isWhole) return NOT_AN_OBJECT;
  return known ?? boundWording(issue) ?? choiceWording(issue) ?? valueError(issue);
}

function boundWording({ type, requirement, input }: v.BaseIssue<unknown>): Wording | undefined {
  switch (type) {
    case "non_empty":
      return lengthWording(input, "least", 1);
    case "min_length":
      return lengthWording(input, "least", requirement);
    case "max_length":
      return lengthWording(input, "most", requirement);
    case "regex": {
      const pattern = requirement instanceof RegExp ? requirement.source : String(requirement);
      const msg = `String should match pattern '${pattern}'`;
      return { type: "string_pattern_mismatch", msg, ctx: { pattern } };
    }
    case "min_value": {
      const msg = `Input should be greater than or equal to ${String(requirement)}`;
      return { type: "greater_than_equal", msg, ctx: { ge: requirement } };
    }
    case "max_value": {
      const msg = `Input should be less than or equal to ${String(requirement)}`;
      return { type: "less_than_equal", msg, ctx: { le: requirement } };
    }
    default:
      return undefined;
  }
}

function lengthWording(input: unknown, bound: "least" | "most", length: unknown): Wording {
  const isText = typeof input === "string";
  const what = isText ? "String" : "List";
  const unit = isText ? "characters" : "items";
  const code = bound === "least" ? "too_short" : "too_long";
  return {
    type: isText ? `string_${code}` : code,
    msg: `${what} should have at ${bound} ${String(length)} ${length === 1 ? unit.slice(0, -1) : unit}`,
    ctx: bound === "least" ? { min_length: length } : { max_length: length },
  };
}

/** `expected` reads `("asc" | "desc")` or `"asc"`. */
function choiceWording({ type, expected }: v.BaseIssue<unknown>): Wording | undefined {
  if (!["picklist", "enum", "literal", "variant"].includes(type) || expected === null) return undefined;
  const choices = expected
    .replace(/^\(|\)$/g, "")
    .split(" | ")
    .map((choice) => choice.replace(/^"(.*)"$/, "'$1'"));
  const last = choices.at(-1) ?? "";
  const listed = choices.length > 1 ? `${choices.slice(0, -1).join(", ")} or ${last}` : last;
  const isOneOfSeveral = type === "picklist" || type === "enum";
  return {
    type: isOneOfSeveral ? "enum" : "literal_error",
    msg: `Input should be ${listed}`,
    ctx: { expected: listed },
  };
}

function valueError({ message }: v.BaseIssue<unknown>): Wording {
  return { type: "value_error", msg: `Value error, ${message}`, ctx: { error: {} } };
}
