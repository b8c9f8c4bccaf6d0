import type { WorkflowState } from "../../shared/engine/run/workflow-state.ts";
import { getJob, runOf } from "../../shared/stores/jobs/job-item.ts";
import {
  listDuePauseTimers,
  type PauseTimer,
  removePauseTimer,
} from "../../shared/stores/jobs/pause-timers.ts";
import { packCheckpoint, readCheckpoint } from "../../shared/stores/runs/checkpoint.ts";
import { nextEventIndex } from "../../shared/stores/runs/events.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { continueInTurn } from "../../shared/stores/transactions/continue-in-turn.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

/** Timers of one round at most; the next round continues. */
const TIMERS_PER_ROUND = 200;

/**
 * Continues workflows whose question has timed out and has an `on_timeout`: the engine takes that for the answer. A
 * person's answer at the same moment wins, or loses to it, by one conditional write.
 *
 * @param now  epoch seconds
 * @returns    how many were continued
 */
export async function applyPauseTimeouts(deps: SweeperDeps, now: number): Promise<number> {
  const due = await listDuePauseTimers(deps.db, now, TIMERS_PER_ROUND);
  let continuedCount = 0;
  for (const timer of due) {
    if (await continueAfterTimeout(deps, timer, now)) continuedCount += 1;
    // Removed last: a timer that is read twice finds a job that is not paused any more.
    await removePauseTimer(deps.db, timer);
  }
  return continuedCount;
}

async function continueAfterTimeout(
  { db, queue }: SweeperDeps,
  { job_id }: PauseTimer,
  now: number,
): Promise<boolean> {
  const job = await getJob(db, job_id, now);
  const run = job?.status === "paused" ? await getRun(db, runOf(job), now) : undefined;
  const checkpoint = run && (await readCheckpoint<WorkflowState>(db, run));
  if (!job || !run || !checkpoint) return false;
  const next_index = await nextEventIndex(db, run);
  const written = await continueInTurn(db, {
    run,
    output: { ...run.output, status: "PENDING" },
    attempt: run.attempt,
    checkpoint: packCheckpoint({ state: checkpoint.state, continues: true, next_index }),
    job: { row: job, asked: { step_requirements: [], kwargs: {} } },
    resolutions: [],
    recorded: [],
    now,
  });
  // Where the message is lost, the round that looks for lost messages finds the job.
  if (written) await queue.send({ job_id, user_id: job.user_id }).catch(() => undefined);
  return written;
}
