import * as v from "valibot";
import { absentOr, anyOf, atLeast } from "../../data/guard.ts";
import type { Item } from "../../data/item.ts";
import { write } from "../../data/write.ts";
import { updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import type { RunAddress } from "./run-address.ts";
import { runKey } from "./run-keys.ts";

/** A queued job that waits for a run of its session. */
export const AwaitingJob = v.object({ job_id: v.string(), user_id: v.nullable(v.string()) });
export type AwaitingJob = v.InferOutput<typeof AwaitingJob>;

/** The jobs that wait for a run's end, as its record holds them: JSON of each. */
export type AwaitedBy = ReadonlySet<string>;

/**
 * Notes on a live run's record that a job waits for its end. The end finds the note and wakes the job; a run that ends
 * at the same moment refuses one of the two writes, so no wake-up is missed.
 *
 * @param now  epoch seconds
 * @returns    false when the run is not live: nothing will wake the job
 */
export async function awaitRun(
  db: Db,
  at: RunAddress,
  { job_id, user_id }: AwaitingJob,
  now: number,
): Promise<boolean> {
  const awaits = updateItem("runs", runKey(at.owner, at.session_id, at.run_id), {
    add: { awaited_by: new Set([JSON.stringify({ job_id, user_id } satisfies AwaitingJob)]) },
    // A foreground run whose process must have ended is not live.
    guard: anyOf({ status: "PENDING" }, { status: "RUNNING", lease_until: absentOr(atLeast(now)) }),
  });
  return (await write(db, awaits)).written;
}

/** What a run's item says of them; undefined where none waits. */
export const awaitedBy = (item: Item | undefined): AwaitedBy | undefined =>
  item?.awaited_by instanceof Set ? item.awaited_by : undefined;

export const jobsIn = (awaited: AwaitedBy): AwaitingJob[] =>
  [...awaited].map((text) => v.parse(AwaitingJob, JSON.parse(text)));
