import type { Metadata } from "../../schemas/knowledge/knowledge-content.ts";
import type { FilterExpression, KnowledgeFilters } from "../../schemas/knowledge/knowledge-filter.ts";

/**
 * One expression for every form of a filter: values by name must all be equal, and all of several expressions must
 * hold.
 */
export function expressionOf(filters: KnowledgeFilters): FilterExpression {
  if (Array.isArray(filters)) return { op: "AND", conditions: filters };
  return isExpression(filters) ? filters : allEqual(filters);
}

/** Values by name, all of which must be equal. */
export const allEqual = (values: Readonly<Record<string, unknown>>): FilterExpression => ({
  op: "AND",
  conditions: Object.entries(values).map(([key, value]) => equal(key, value)),
});

const equal = (key: string, value: unknown): FilterExpression =>
  Array.isArray(value) ? { op: "IN", key, values: value } : { op: "EQ", key, value };

/** Plain filters have no member `op`: the schema refuses it. */
const isExpression = (filters: object): filters is FilterExpression => "op" in filters;

/** Whether metadata matches an expression. A list matches if one of its elements does; a missing value is not equal. */
export function matchesFilter(metadata: Metadata, filter: FilterExpression): boolean {
  switch (filter.op) {
    case "AND":
      return filter.conditions.every((one) => matchesFilter(metadata, one));
    case "OR":
      return filter.conditions.some((one) => matchesFilter(metadata, one));
    case "NOT":
      return !matchesFilter(metadata, filter.condition);
    case "IN":
      return valuesOf(metadata, filter.key).some((value) => filter.values.includes(value));
    default: {
      const { op, key, value: wanted } = filter;
      const values = valuesOf(metadata, key);
      return op === "NEQ" ? !values.includes(wanted) : values.some((value) => compares[op](value, wanted));
    }
  }
}

const valuesOf = (metadata: Metadata, key: string): unknown[] => {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
};

const compares = {
  EQ: (value: unknown, wanted: unknown) => value === wanted,
  GT: (value: unknown, wanted: unknown) => order(value, wanted) > 0,
  GTE: (value: unknown, wanted: unknown) => order(value, wanted) >= 0,
  LT: (value: unknown, wanted: unknown) => order(value, wanted) < 0,
  LTE: (value: unknown, wanted: unknown) => order(value, wanted) <= 0,
  CONTAINS: (value: unknown, wanted: unknown) =>
    typeof value === "string" && typeof wanted === "string" ? value.includes(wanted) : value === wanted,
  STARTSWITH: (value: unknown, wanted: unknown) =>
    typeof value === "string" && typeof wanted === "string" && value.startsWith(wanted),
} as const;

/** Numbers by size, texts by their characters; everything else is NaN, so that no comparison holds. */
function order(value: unknown, wanted: unknown): number {
  if (typeof value === "number" && typeof wanted === "number") return value - wanted;
  if (typeof value === "string" && typeof wanted === "string")
    return value < wanted ? -1 : Number(value > wanted);
  return Number.NaN;
}
