import type { Db } from "../db.ts";
import { countListed } from "../listing/count-listed.ts";
import { allPartitions, ownerPartition } from "../listing/index-keys.ts";
import { LIST_DEPTH, rowsByCreation, tooMany } from "../listing/rows-by-creation.ts";
import { sortedRows } from "../listing/sorted-rows.ts";
import { type StoredEval, wholeEval } from "./eval-item.ts";
import { countOf, type EvalFilter, type EvalRow, evalListing, passes } from "./eval-listing.ts";
import { readEvals } from "./read-evals.ts";

/** What lists sort by, as the index carries it. */
export const evalSortFields = [
  "created_at",
  "updated_at",
  "id",
  "name",
  "eval_type",
  "agent_id",
  "team_id",
  "model_id",
  "status",
] as const;
export type EvalSortField = (typeof evalSortFields)[number];

export type EvalsQuery = EvalFilter & {
  /** Whose evaluations; undefined for everybody's. */
  readonly owner: string | undefined;
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
  readonly sort_by: EvalSortField;
  readonly sort_order: "asc" | "desc";
};

export type EvalsFound = { readonly evals: StoredEval[]; readonly total: number };

/**
 * One page of evaluations and the exact number of all that match. By creation (the default) it reads the index up to
 * the page's end and the evaluations of the page, however many there are; in any other order, every matching row.
 *
 * @param now  epoch seconds
 * @throws ServiceError BAD_REQUEST when it would have to look at more than `LIST_DEPTH` rows
 */
export async function listEvals(db: Db, query: EvalsQuery, now: number): Promise<EvalsFound> {
  const { owner, page, limit, sort_by, sort_order } = query;
  const partitions = owner === undefined ? allPartitions() : [ownerPartition(owner)];
  const counts = await Promise.all(
    partitions.map((partition) => countListed(db, evalListing, partition, now)),
  );
  const total = counts.reduce((sum, of) => sum + countOf(of, query), 0);
  const offset = (page - 1) * limit;
  if (offset >= total) return { evals: [], total };
  const inOrder = sort_by === "created_at";
  if (!inOrder && total > LIST_DEPTH) throw tooMany(sort_by, evalListing);
  const rows = await rowsByCreation(db, evalListing, partitions, {
    forward: sort_order === "asc",
    need: inOrder ? offset + limit : Number.POSITIVE_INFINITY,
    counted: total,
    matches: (row) => passes(row, query),
  });
  const sorted = inOrder ? rows : sortedRows(rows, (row) => row[sort_by], idOf, sort_order);
  const shown = await readEvals(db, sorted.slice(offset, offset + limit).map(idOf));
  const evals = await Promise.all(shown.map((record) => wholeEval(db, record)));
  return { evals, total: Math.max(total, rows.length) };
}

const idOf = ({ id }: EvalRow): string => id;
