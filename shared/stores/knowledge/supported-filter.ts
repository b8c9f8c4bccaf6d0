import type { FilterExpression } from "../../schemas/knowledge/knowledge-filter.ts";

/** A filter in the syntax of S3 Vectors. */
export type VectorFilter = { [key: string]: VectorFilterValue };
type VectorFilterValue = string | number | boolean | VectorFilterValue[] | VectorFilter;

/**
 * The part of a filter that S3 Vectors can check itself. Other parts match everything, so the result matches all that
 * the filter matches, and maybe more: the caller must filter what was found.
 *
 * @returns undefined if everything matches
 * @source AWS documentation, S3 Vectors, "Metadata filtering"
 */
export function supportedFilter(filter: FilterExpression): VectorFilter | undefined {
  switch (filter.op) {
    case "AND":
      return combined("$and", filter.conditions.map(supportedFilter).filter(isDefined));
    case "OR": {
      const parts = filter.conditions.map(supportedFilter);
      return parts.every(isDefined) ? combined("$or", parts) : undefined;
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
      // It is not documented whether absent keys are unequal, and texts cannot be searched.
      return undefined;
  }
}

const isDefined = (filter: VectorFilter | undefined): filter is VectorFilter => filter !== undefined;
const isValue = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** S3 Vectors does not accept empty lists of filters. */
function combined(operator: "$and" | "$or", parts: VectorFilter[]): VectorFilter | undefined {
  return parts.length > 1 ? { [operator]: parts } : parts[0];
}
