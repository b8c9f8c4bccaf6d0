import { RUN_INDEX_SHARDS } from "../../../settings/rows/storage.ts";
import type { Db } from "../../db.ts";
import { allPartition, allPartitions, openedKey } from "../../index-keys.ts";
import { getJob, runOf } from "../../jobs/job-item.ts";
import { mergedRows } from "../../listing/listed-rows.ts";
import { getRunHead } from "../get-run.ts";
import { indexedRuns, type RunAddress } from "../run-keys.ts";

/** When a run was made, and when it ended; epoch seconds. */
export type RunTimes = { readonly created_at: number; readonly ended_at: number | undefined };

const endings: ReadonlySet<string> = new Set(["COMPLETED", "ERROR", "CANCELLED", "REGENERATED"]);

/**
 * When the run with this id took place. Only the id is known, not whose it is: it is found by its job, or else in the
 * index by creation at the time that its id contains.
 *
 * @param now  epoch seconds
 * @returns    undefined for an unknown run, and for one that is part of another
 */
export async function findRunTimes(db: Db, runId: string, now: number): Promise<RunTimes | undefined> {
  const job = await getJob(db, runId, now);
  const at = job ? runOf(job) : await findAddress(db, runId);
  const run = at && (await getRunHead(db, at, now));
  // A job outlives what was said in its session.
  if (!run) return job && { created_at: job.created_at, ended_at: job.completed_at ?? undefined };
  const { created_at } = run.output;
  return { created_at, ended_at: endings.has(run.status) ? run.updated_at : undefined };
}

/** Between the time of a run's id and its creation time lies what a request does before its run is written. */
const EARLIER_SECONDS = 60;
const LATER_SECONDS = 5;
const ROWS_PER_QUERY = 500;

/** Bounds on the creation of the run with this id, epoch seconds; undefined where the id does not show it. */
export function creationOf(runId: string): { readonly after: number; readonly before: number } | undefined {
  const madeAt = timeOf(runId);
  if (madeAt === undefined) return undefined;
  return { after: Math.max(0, madeAt - EARLIER_SECONDS), before: madeAt + LATER_SECONDS };
}

async function findAddress(db: Db, runId: string): Promise<RunAddress | undefined> {
  const creation = creationOf(runId);
  if (creation === undefined) return undefined;
  const range = {
    after: openedKey(creation.after, ""),
    through: openedKey(creation.before, ""),
    perQuery: ROWS_PER_QUERY,
    forward: true,
  };
  // With more partitions than there were at first it is not known how many there were when the run was made.
  const partitions =
    db.runIndexShards === RUN_INDEX_SHARDS ? [allPartition(runId)] : allPartitions(db.runIndexShards);
  for await (const row of mergedRows(db, indexedRuns, partitions, range))
    if (row.run_id === runId) return row;
  return undefined;
}

/** The epoch second in a time-ordered id; undefined for another id. @source RFC 9562, section 5.7 */
function timeOf(id: string): number | undefined {
  const isTimeOrdered = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id);
  return isTimeOrdered ? Math.floor(Number.parseInt(id.replace("-", "").slice(0, 12), 16) / 1000) : undefined;
}
