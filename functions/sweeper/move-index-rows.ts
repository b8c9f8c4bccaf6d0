import { jobStatuses } from "../../shared/schemas/queue/queue-job.ts";
import type { Db } from "../../shared/stores/db.ts";
import { shardsBeyond } from "../../shared/stores/jobs/job-keys.ts";
import { indexRows } from "../../shared/stores/jobs/list-jobs.ts";
import { moveIndexRow } from "../../shared/stores/jobs/move-index-row.ts";
import { inTurn } from "./in-turn.ts";

/** Partitions that one round looks at: all of them are looked at once an hour. */
const SHARDS_PER_ROUND = 6;
/** Jobs of one round at most; the next hour continues. */
const MOVED_PER_ROUND = 10_000;
const AT_A_TIME = 25;

/**
 * Jobs that were written when `JOB_INDEX_SHARDS` was higher are in partitions of the index that are not read any more.
 * They are put where the present setting has them. Jobs of a time when it was lower need nothing: whoever reads more
 * partitions reads theirs too.
 *
 * @param now  epoch seconds
 * @returns    how many were moved
 */
export async function moveIndexRows({ db }: { readonly db: Db }, now: number): Promise<number> {
  const beyond = jobStatuses.flatMap((status) =>
    shardsBeyond(db, status).map((shard) => ({ status, shard })),
  );
  let moved = 0;
  for (const { status, shard } of inTurn(beyond, SHARDS_PER_ROUND, now)) {
    const ids = await idsIn(db, shard, MOVED_PER_ROUND - moved, now);
    for (let from = 0; from < ids.length; from += AT_A_TIME) {
      const some = ids.slice(from, from + AT_A_TIME).map((id) => moveIndexRow(db, id, status, shard));
      moved += (await Promise.all(some)).filter((isMoved) => isMoved).length;
    }
  }
  return moved;
}

async function idsIn(db: Db, shard: string, limit: number, now: number): Promise<string[]> {
  const ids: string[] = [];
  if (limit === 0) return ids;
  for await (const { id } of indexRows(db, shard, { forward: true, now, only: ["id"] })) {
    ids.push(id);
    if (ids.length >= limit) break;
  }
  return ids;
}
