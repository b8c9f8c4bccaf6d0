import { writeAndRead } from "../../data/write.ts";
import type { JobMove } from "../../domain/jobs/job-transitions.ts";
import type { Db } from "../db.ts";
import type { Fence } from "./guard.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { type JobChange, jobUpdate } from "./job-update.ts";

/** A lost race is a result: it carries the job that was seen instead. */
export type Moved =
  | { readonly moved: true; readonly job: StoredJob }
  | { readonly moved: false; readonly seen: StoredJob | undefined };

/** Moves that concern the job alone, so that one conditional write is enough. */
export type LoneMove = Extract<JobMove, "claim" | "heartbeat" | "takeOver">;

export async function moveJob(
  db: Db,
  id: string,
  move: LoneMove,
  fence: Fence,
  change?: JobChange,
): Promise<Moved> {
  const result = await writeAndRead(db, jobUpdate(db, id, move, fence, change));
  if (result.written) return { moved: true, job: jobFrom(result.item) };
  const seen = result.seen && jobFrom(result.seen);
  return seen && isOwnClaim(seen, move, fence) ? { moved: true, job: seen } : { moved: false, seen };
}

/** A claim or take-over whose answer was lost is repeated by the SDK, and is then refused by its own first write. */
function isOwnClaim(seen: StoredJob, move: JobMove, fence: Fence): boolean {
  const owner = move === "takeOver" ? fence.successor : fence.worker;
  return move !== "heartbeat" && seen.status === "running" && seen.locked_by === owner;
}
