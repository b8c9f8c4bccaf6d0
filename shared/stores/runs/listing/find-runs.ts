import type { RunStatus } from "../../../schemas/runs/run.ts";
import type { Taken } from "../../batch-get.ts";
import type { Db } from "../../db.ts";
import { allPartitions, ownerPartition, type Partition } from "../../index-keys.ts";
import { mergedRows } from "../../listing/listed-rows.ts";
import { type OpenedBounds, openedRange } from "../../listing/opened-range.ts";
import { componentPartitions, hasIndex, indexedRuns, type RunRow, restingPartitions } from "../run-keys.ts";
import { creationOf } from "./find-run-times.ts";
import { looksInside, type RunConditions } from "./run-conditions.ts";
import { type FoundRun, type RunSummary, readSummaries } from "./run-summary.ts";

/** Runs of one kind that the caller may read: those of all components, or of some. */
export type ReadableKind = {
  readonly component_type: RunSummary["component_type"];
  readonly ids: "all" | ReadonlySet<string>;
};

export type RunsQuery = RunConditions & {
  /** Whose runs; undefined for everybody's. */
  readonly owner: string | undefined;
  readonly kinds: readonly ReadableKind[];
  readonly component_id?: string | undefined;
  /** The run alone. */
  readonly run_id?: string | undefined;
  /** Inclusive bounds on the creation, epoch seconds. */
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
  /** The place of the row before the first one. */
  readonly after_place?: string | undefined;
  readonly limit: number;
};

export type RunsPage = {
  /** The newest first. */
  readonly runs: RunSummary[];
  /** The place after which the next page begins; undefined when there are no more runs. */
  readonly next_place: string | undefined;
  /** What the page took: it may have ended there, with older runs left. */
  readonly looked_at: {
    readonly runs: number;
    /** When the oldest of them was made, epoch seconds; undefined where there was none. */
    readonly back_to: number | undefined;
  };
};

/** Most index rows, and most runs, that one page reads: it may have fewer runs than were asked for. */
export const PAGE_DEPTH = 500;
/** Runs that are read at a time where their status decides. */
const READ_AT_A_TIME = 100;
/** The same where their texts or calls decide, which may be long. */
const LOOKED_INSIDE_AT_A_TIME = 25;
/** A page ends when it has taken this many read units, of 4 KB each, or this many bytes of objects. */
const MOST: Readonly<Taken> = { units: 4_000, bytes: 16_000_000 };
/** Rows that are read of a partition at a time. */
const ROWS_PER_QUERY = 100;

/**
 * One page of the runs of all sessions, the newest first, without runs that are part of others.
 *
 * It reads one user's index; or for statuses that few runs rest in, theirs; or that of a component; or everybody's. What
 * the index does not show is looked up in the runs, at most `PAGE_DEPTH` of them.
 *
 * @param now   epoch seconds
 * @param most  after which the page ends
 */
export async function findRuns(
  db: Db,
  query: RunsQuery,
  now: number,
  most: Readonly<Taken> = MOST,
): Promise<RunsPage> {
  const wanted = { ...query, statuses: statusesOf(query) };
  const taken: Taken = { units: 0, bytes: 0 };
  const found: FoundRun[] = [];
  let runs = 0;
  let back_to: number | undefined;
  const page = (some: readonly FoundRun[], last: RunRow | undefined): RunsPage => ({
    runs: some.map(({ run }) => run),
    next_place: last?.opened,
    looked_at: { runs, back_to },
  });
  for await (const { rows, last, more } of candidates(db, query, wanted.statuses)) {
    found.push(...(await readSummaries(db, rows, wanted, now, taken)));
    runs += rows.length;
    back_to = timeOf(rows.at(-1) ?? last) ?? back_to;
    if (found.length > query.limit) return page(found.slice(0, query.limit), found[query.limit - 1]?.row);
    if (!more || taken.units >= most.units || taken.bytes >= most.bytes) return page(found, last);
  }
  return page(found, undefined);
}

const timeOf = (row: RunRow | undefined): number | undefined => row && Number.parseInt(row.opened, 10);

/** Only failed runs have an error. */
function statusesOf({ statuses, error_contains }: RunsQuery): ReadonlySet<RunStatus> | undefined {
  if (error_contains === undefined) return statuses;
  return new Set<RunStatus>(!statuses || statuses.has("ERROR") ? ["ERROR"] : []);
}

type Candidates = {
  readonly rows: readonly RunRow[];
  /** The last row that was looked at. */
  readonly last: RunRow | undefined;
  /** Whether the page may go on reading. */
  readonly more: boolean;
};

/** Rows that match as far as the index shows, in batches. After the last row there is no further batch. */
async function* candidates(
  db: Db,
  query: RunsQuery,
  statuses: ReadonlySet<RunStatus> | undefined,
): AsyncGenerator<Candidates, undefined> {
  const range = openedRange(boundsOf(query));
  if (!range) return undefined;
  // One more than a page has shows whether there is a next one.
  const isInside = looksInside(query);
  const most = isInside ? LOOKED_INSIDE_AT_A_TIME : READ_AT_A_TIME;
  let batch = isInside ? Math.min(query.limit + 1, most) : query.limit + 1;
  const perQuery = Math.min(batch, ROWS_PER_QUERY);
  let rows: RunRow[] = [];
  let seen = 0;
  let before = query.after_place;
  const partitions = partitionsOf(db, query, statuses);
  for await (const row of mergedRows(db, indexedRuns, partitions, { ...range, perQuery, forward: false })) {
    // The range includes the place where the page before ended; a run that changes its status may be found twice.
    if (row.opened === before) continue;
    before = row.opened;
    seen += 1;
    if (isReadable(row, query)) rows.push(row);
    const more = seen < PAGE_DEPTH;
    if (rows.length < batch && more) continue;
    yield { rows, last: row, more };
    if (!more) return undefined;
    rows = [];
    batch = most;
  }
  if (rows.length > 0) yield { rows, last: undefined, more: false };
  return undefined;
}

/** The bounds of a query; those of a run's creation, where its id alone is looked for. */
function boundsOf({ run_id, created_after, created_before, after_place }: RunsQuery): OpenedBounds {
  const creation = run_id === undefined ? undefined : creationOf(run_id);
  return {
    created_after: creation ? Math.max(creation.after, created_after ?? 0) : created_after,
    created_before: creation ? Math.min(creation.before, created_before ?? creation.before) : created_before,
    after_place,
  };
}

function partitionsOf(
  { runIndexShards: shards }: Db,
  query: RunsQuery,
  statuses: ReadonlySet<RunStatus> | undefined,
): Partition[] {
  const { owner, component_id, kinds } = query;
  if (owner !== undefined) return [ownerPartition(owner)];
  // Before the component: one with most of the runs has many more than have failed.
  if (statuses && [...statuses].every(hasIndex)) return [...statuses].flatMap(restingPartitions);
  if (component_id === undefined) return allPartitions(shards);
  return kinds.flatMap(({ component_type }) => componentPartitions({ component_type, component_id }, shards));
}

function isReadable(row: RunRow, { kinds, component_id, run_id }: RunsQuery): boolean {
  if (run_id !== undefined && row.run_id !== run_id) return false;
  if (component_id !== undefined && row.component_id !== component_id) return false;
  const kind = kinds.find(({ component_type }) => component_type === row.component_type);
  return kind !== undefined && (kind.ids === "all" || kind.ids.has(row.component_id));
}
