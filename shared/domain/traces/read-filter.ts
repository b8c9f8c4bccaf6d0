import { ServiceError } from "../../errors.ts";
import { isObject } from "../../schemas/values/is-object.ts";
import { readInstant } from "./read-instant.ts";
import { comparisons, type TraceField, traceFieldOf, traceFields } from "./trace-fields.ts";
import type { FieldValue, TraceFilter } from "./trace-filter.ts";

/** Formulas within formulas, counted from 0 at the outermost. */
const DEEPEST = 10;

type Given = Readonly<Record<string, unknown>>;

/**
 * Reads a formula.
 *
 * @throws  ServiceError BAD_REQUEST saying what of it makes no sense
 * @source  contract, metrics-evals-traces C.6
 * @decided an unknown key, a null value and an empty list of conditions are 400; a number may be given as text
 */
export function readFilter(given: unknown, level = 0): TraceFilter {
  if (level > DEEPEST) throw bad(`the filter is nested more than ${DEEPEST} levels deep`);
  if (!isObject(given)) throw bad("a condition must be an object");
  const { op } = given;
  if (op === "AND" || op === "OR") return { op, conditions: conditionsOf(given, level) };
  if (op === "NOT") return { op, condition: readFilter(memberOf(given, "condition"), level + 1) };
  const comparison = comparisons.find((one) => one === op);
  if (!comparison) throw bad(`${JSON.stringify(op)} is no operator; they are written in capitals`);
  const key = traceFieldOf(memberOf(given, "key"));
  if (!key) throw bad(`traces have no field ${JSON.stringify(given.key)}`);
  if (comparison !== "IN") return { op: comparison, key, value: readValue(key, memberOf(given, "value")) };
  const values = memberOf(given, "values");
  if (!Array.isArray(values)) throw bad("values must be a list");
  return { op: "IN", key, values: values.map((value) => readValue(key, value)) };
}

function conditionsOf(given: Given, level: number): TraceFilter[] {
  const conditions = memberOf(given, "conditions");
  if (!Array.isArray(conditions) || conditions.length === 0) {
    throw bad("conditions must be a list that is not empty");
  }
  return conditions.map((condition) => readFilter(condition, level + 1));
}

function memberOf(given: Given, name: string): unknown {
  const member = given[name];
  if (member === undefined || member === null) throw bad(`${String(given.op)} needs ${name}`);
  return member;
}

function readValue(key: TraceField, value: unknown): FieldValue {
  switch (traceFields[key].type) {
    case "number": {
      const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof read === "number" && Number.isFinite(read)) return read;
      throw bad(`${key} is compared with a number`);
    }
    case "datetime":
      return readInstant(value, key);
    default:
      if (typeof value === "string") return value;
      throw bad(`${key} is compared with text`);
  }
}

const bad = (why: string): ServiceError => new ServiceError("BAD_REQUEST", why);
