import type { FilterExpression } from "../../schemas/knowledge/knowledge-filter.ts";

/** A filter as S3 Vectors writes it. */
export type VectorFilter = { [key: string]: VectorFilterValue };
type VectorFilterValue = string | number | boolean | VectorFilterValue[] | VectorFilter;

/**
 * The part of a filter that S3 Vectors can check itself. What it cannot becomes "anything", so it lets through all that
 * the filter lets through, and maybe more: whoever searches checks what was found.
 *
 * @returns undefined for "anything"
 * @source AWS documentation, S3 Vectors, "Metadata filtering"
 */
export function supportedFilter(filter: FilterExpression): VectorFilter | undefined {
  switch (filter.op) {
    case "AND":
      return combined("$and", filter.conditions.map(supportedFilter).filter(isSomething));
    case "OR": {
      const parts = filter.conditions.map(supportedFilter);
      return parts.every(isSomething) ? combined("$or", parts) : undefined;
    }
    case "IN": {
      const values = filter.values.filter(isValue);
      return values.length > 0 && values.length === filter.values.length
        ? { [filter.key]: { $in: values } }
        : undefined;
    }
    case "EQ":
      return isValue(filter.value) ? { [filter.key]: { $eq: filter.value } } : undefined;
    case "GT":
    case "GTE":
    case "LT":
    case "LTE":
      return typeof filter.value === "number"
        ? { [filter.key]: { [`$${filter.op.toLowerCase()}`]: filter.value } }
        : undefined;
    default:
      // Whether absent keys are unequal is not documented, and texts cannot be searched.
      return undefined;
  }
}

const isSomething = (filter: VectorFilter | undefined): filter is VectorFilter => filter !== undefined;
const isValue = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Lists of filters may not be empty there. */
function combined(operator: "$and" | "$or", parts: VectorFilter[]): VectorFilter | undefined {
  return parts.length > 1 ? { [operator]: parts } : parts[0];
}
