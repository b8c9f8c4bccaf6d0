import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../db.ts";
import { allPartitions, indexKeys, ownerPartition } from "../index-keys.ts";
import { countListed } from "../listing/count-listed.ts";
import { LIST_DEPTH, rowsByCreation, sortedRows, tooMany } from "../listing/listed-rows.ts";
import type { Listed, Listing } from "../listing/listing.ts";
import type { Tally } from "../listing/tally.ts";
import { readEvals, type StoredEval, versionEvalsPartition, wholeEval } from "./eval-item.ts";

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

/**
 * The evaluations of one version of a stored component, the newest first, without their large fields.
 *
 * @param most  how many of the newest at most
 */
export async function listVersionEvals(
  db: Db,
  component_id: string,
  version: number,
  most: number,
): Promise<StoredEval[]> {
  const { Items = [] } = await db.client.send(
    new QueryCommand({
      TableName: db.tables.evals,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": versionEvalsPartition(component_id, version) },
      ScanIndexForward: false,
      Limit: most,
      ConsistentRead: true,
    }),
  );
  return readEvals(
    db,
    Items.map(({ id }) => String(id)),
  );
}

/** What an index carries of an evaluation. */
export type EvalRow = Listed &
  Pick<
    StoredEval,
    | "id"
    | "user_id"
    | "eval_type"
    | "name"
    | "agent_id"
    | "team_id"
    | "model_id"
    | "status"
    | "created_at"
    | "updated_at"
  >;

/** What lists filter by. */
type EvalFilter = {
  readonly types: readonly StoredEval["eval_type"][] | undefined;
  readonly kind: "agent" | "team" | undefined;
  readonly agent_id: string | undefined;
  readonly team_id: string | undefined;
  readonly model_id: string | undefined;
};

type Counted = Pick<StoredEval, "eval_type" | "agent_id" | "team_id" | "model_id">;

/** Evaluations are counted by everything that lists filter by. */
export const evalListing: Listing<StoredEval, EvalRow> = {
  table: "evals",
  plural: "evaluations",
  placeOf: indexKeys,
  countKey: ({ eval_type, agent_id, team_id, model_id }) =>
    JSON.stringify([eval_type, agent_id, team_id, model_id]),
};

const passes = (
  { eval_type, agent_id, team_id, model_id }: Counted,
  { types, kind, ...ids }: EvalFilter,
): boolean =>
  (types === undefined || types.includes(eval_type)) &&
  (kind === undefined || (kind === "agent" ? agent_id : team_id) !== null) &&
  (ids.agent_id === undefined || ids.agent_id === agent_id) &&
  (ids.team_id === undefined || ids.team_id === team_id) &&
  (ids.model_id === undefined || ids.model_id === model_id);

const Name = v.nullable(v.string());
const CountKey = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), Name, Name, Name]));

/** How many of the counted evaluations pass a filter. */
const countOf = (counts: Tally["counts"], filter: EvalFilter): number =>
  Object.entries(counts)
    .filter(([key]) => {
      const [eval_type, agent_id, team_id, model_id] = v.parse(CountKey, key);
      // As `countKey` wrote it.
      return passes({ eval_type: eval_type as Counted["eval_type"], agent_id, team_id, model_id }, filter);
    })
    .reduce((sum, [, count]) => sum + count, 0);
