import * as v from "valibot";
import { meaning } from "./described-as.ts";
import { integerText } from "./fields.ts";

/**
 * `page` echoes the requested page, so it starts at 1.
 *
 * @source docs/interface/platform.md 2.4
 */
export const PaginationInfo = v.object({
  page: v.number(),
  limit: v.number(),
  total_pages: v.number(),
  total_count: v.number(),
  search_time_ms: v.number(),
});
export type PaginationInfo = v.InferOutput<typeof PaginationInfo>;

export const pageOf = <S extends v.GenericSchema>(item: S) =>
  v.object({ data: v.array(item), meta: PaginationInfo });

export type Page<T> = { data: T[]; meta: PaginationInfo };

export const SortOrder = v.picklist(["asc", "desc"]);

/**
 * Page and limit of every list.
 *
 * @param maxLimit   the family's own bound; without one, lists shorten a larger limit
 * @param limit      how many there are unless the request says it, as text
 * @param firstPage  0 where that is read as the first page too
 */
export const pageQuery = (maxLimit?: number, { limit = "20", firstPage = 1 } = {}) => ({
  limit: meaning(
    v.optional(integerText({ min: 1, ...(maxLimit !== undefined && { max: maxLimit }) }), limit),
    "Items of a page",
  ),
  page: meaning(
    v.optional(integerText({ min: firstPage }), "1"),
    firstPage === 0 ? "The first page is 1, and 0 is the same" : "The first page is 1",
  ),
});

/** @param searchTimeMs time that the store took, in milliseconds */
export function pageMeta(
  page: number,
  limit: number,
  totalCount: number,
  searchTimeMs: number,
): PaginationInfo {
  return {
    page,
    limit,
    total_pages: Math.ceil(totalCount / limit),
    total_count: totalCount,
    search_time_ms: Math.round(searchTimeMs * 100) / 100,
  };
}
