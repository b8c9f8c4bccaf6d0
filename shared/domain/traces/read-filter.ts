import { ServiceError } from "../../errors.ts";
import { isObject } from "../../schemas/values/json-values.ts";
import { comparisons, type TraceField, traceFieldOf, traceFields } from "./trace-fields.ts";
import type { FieldValue, TraceFilter } from "./trace-filter.ts";

/** Most levels of nested filters, counted from 0 at the outermost. */
const MAX_LEVEL = 10;

type Raw = Readonly<Record<string, unknown>>;

/**
 * Reads a filter.
 *
 * @throws  ServiceError BAD_REQUEST naming what is wrong
 * @source  docs/interface/traces.md 2.1
 * @decided an unknown key, a null value and an empty list of conditions are 400; a number may be raw as text
 */
export function readFilter(raw: unknown, level = 0): TraceFilter {
  if (level > MAX_LEVEL) throw bad(`the filter is nested more than ${MAX_LEVEL} levels deep`);
  if (!isObject(raw)) throw bad("a condition must be an object");
  const { op } = raw;
  if (op === "AND" || op === "OR") return { op, conditions: conditionsOf(raw, level) };
  if (op === "NOT") return { op, condition: readFilter(memberOf(raw, "condition"), level + 1) };
  const comparison = comparisons.find((one) => one === op);
  if (!comparison) throw bad(`${JSON.stringify(op)} is no operator; they are written in capitals`);
  const key = traceFieldOf(memberOf(raw, "key"));
  if (!key) throw bad(`traces have no field ${JSON.stringify(raw.key)}`);
  if (comparison !== "IN") return { op: comparison, key, value: readValue(key, memberOf(raw, "value")) };
  const values = memberOf(raw, "values");
  if (!Array.isArray(values)) throw bad("values must be a list");
  return { op: "IN", key, values: values.map((value) => readValue(key, value)) };
}

function conditionsOf(raw: Raw, level: number): TraceFilter[] {
  const conditions = memberOf(raw, "conditions");
  if (!Array.isArray(conditions) || conditions.length === 0) {
    throw bad("conditions must be a list that is not empty");
  }
  return conditions.map((condition) => readFilter(condition, level + 1));
}

function memberOf(raw: Raw, name: string): unknown {
  const member = raw[name];
  if (member === undefined || member === null) throw bad(`${String(raw.op)} needs ${name}`);
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

const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const ZONE = /(Z|[+-]\d\d:?\d\d)$/;

/**
 * An instant in ISO 8601; without a zone it is in UTC.
 *
 * @returns epoch milliseconds
 * @throws  ServiceError BAD_REQUEST
 */
export function readInstant(given: unknown, name: string): number {
  // A plus that was not encoded in a URL arrives as a blank.
  const text = typeof given === "string" ? given.trim().replace(/ (\d\d:?\d\d)$/, "+$1") : "";
  const hasTime = text.length > "2026-03-04".length;
  const ms = ISO.test(text) ? Date.parse(hasTime && !ZONE.test(text) ? `${text}Z` : text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new ServiceError("BAD_REQUEST", `${name} must be a time in ISO 8601, such as 2026-03-04T09:15:00Z`);
}
