import * as v from "valibot";
import { fault, jsonObject } from "../values/fields.ts";
import { Metadata } from "./knowledge-content.ts";

export const searchTypes = ["vector", "keyword", "hybrid"] as const;

const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** Values that metadata can be compared with. */
const FilterValue = v.union([v.string(), v.number(), v.boolean()]);

/** @source contract, knowledge section 7 */
export const SearchBody = v.object({
  query: v.string(),
  max_results: v.nullish(wholeNumber(1, 1000)),
  filters: v.nullish(
    v.pipe(
      jsonObject(),
      v.check(
        (filters) => Object.values(filters).every((value) => v.is(FilterValue, value)),
        fault("value_error", "Value error, a filter compares with text, a number, true or false"),
      ),
      v.metadata({
        jsonSchema: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
      }),
    ),
  ),
  search_type: v.nullish(v.picklist(searchTypes)),
  vector_db_ids: v.nullish(v.array(v.string())),
  db_id: v.nullish(v.string()),
  knowledge_id: v.nullish(v.string()),
  meta: v.nullish(v.object({ limit: v.optional(wholeNumber(1), 20), page: v.optional(wholeNumber(1), 1) })),
});

/** One chunk that was found. @source contract, knowledge section 2 */
export const SearchResult = v.object({
  id: v.string(),
  content: v.string(),
  name: v.nullable(v.string()),
  meta_data: v.nullable(Metadata),
  usage: v.nullable(Metadata),
  reranking_score: v.nullable(v.number()),
  content_id: v.nullable(v.string()),
  content_origin: v.nullable(v.string()),
  size: v.nullable(v.number()),
});
export type SearchResult = v.InferOutput<typeof SearchResult>;
