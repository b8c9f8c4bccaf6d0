import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { fault, jsonObject } from "../values/fields.ts";
import { Metadata } from "./knowledge-content.ts";

export const searchTypes = ["vector", "keyword", "hybrid"] as const;

const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** Values that metadata can be compared with. */
const FilterValue = v.union([v.string(), v.number(), v.boolean()]);

const Weight = v.pipe(v.number(), v.minValue(0), v.maxValue(100));

/** @source docs/interface/knowledge.md 7.1, 7.2; `weights` is ours */
export const SearchBody = v.object({
  query: meaning(v.string(), "What is searched for"),
  max_results: meaning(v.nullish(wholeNumber(1, 1000)), "How many chunks are looked for at most"),
  filters: meaning(
    v.nullish(
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
    "Only contents whose metadata has these values",
  ),
  search_type: meaning(v.nullish(v.picklist(searchTypes)), "By meaning, by words, or by both"),
  weights: meaning(
    v.nullish(
      v.object({
        vector: meaning(v.optional(Weight), "What a place in the ranking by meaning counts"),
        keyword: meaning(v.optional(Weight), "What a place in the ranking by words counts"),
      }),
    ),
    "For a hybrid search: how much each ranking counts, instead of what the base says",
  ),
  vector_db_ids: meaning(v.nullish(v.array(v.string())), "Only in these vector databases"),
  db_id: meaning(v.nullish(v.string()), "The database of the base; it need not be named"),
  knowledge_id: meaning(v.nullish(v.string()), "The base; needed where there are several"),
  meta: meaning(
    v.nullish(
      v.object({
        limit: meaning(v.optional(wholeNumber(1), 20), "Items of a page"),
        page: meaning(v.optional(wholeNumber(1), 1), "The first page is 1"),
      }),
    ),
    "Which page of the results",
  ),
});

/** One chunk that was found. @source docs/interface/knowledge.md 2.3 */
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
