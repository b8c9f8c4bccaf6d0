import { planFork } from "../../../shared/engine/pause/plan-fork.ts";
import { resumeFailedRun } from "../../../shared/engine/pause/resume-failed-run.ts";
import type { RunState } from "../../../shared/engine/run/run-state.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { newId } from "../../../shared/runtime/ids.ts";
import { nextEventIndex } from "../../../shared/stores/runs/events.ts";
import { readCheckpoint } from "../../../shared/stores/runs/read-checkpoint.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { continueRun } from "../../../shared/stores/transactions/continue-run.ts";
import { startRun } from "../../../shared/stores/transactions/start-run.ts";
import type { StartedRun } from "../foreground/execute-started-run.ts";
import { LEASE_SECONDS } from "../foreground/run-in-foreground.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { answerAll } from "./answer-all.ts";
import type { Continuing } from "./continuing.ts";

/**
 * Marks an ended or paused run as RUNNING again, by one conditional write: of two requests that continue it, one
 * succeeds.
 *
 * @throws ServiceError CONFLICT when another request was first
 */
export async function startResumedRun(continuing: Continuing, deps: RunsDeps): Promise<StartedRun> {
  const { run, job } = continuing;
  const now = epochSeconds(deps.clock);
  const { state, output: before, resolutions, recorded } = await prepare(continuing, deps);
  const output = { ...before, status: "RUNNING" as const };
  // A job counts its attempts by claims. This execution is no claim, so it belongs to the attempt that ended.
  const attempt = job ? run.attempt : run.attempt + 1;
  const lease_until = now + LEASE_SECONDS;
  const nextIndex = await nextEventIndex(deps.db, run);
  const resumed = await continueRun(deps.db, {
    run,
    output,
    attempt,
    lease_until,
    resolutions,
    recorded,
    now,
  });
  if (!resumed) throw changedConcurrently(run);
  const { checkpoint: _c, last_events: _e, ...rest } = run;
  const started: StoredRun = { ...rest, status: "RUNNING", attempt, lease_until, output };
  return { run: started, from: state, nextIndex, continues: true };
}

async function prepare(continuing: Continuing, deps: RunsDeps) {
  const { run, form } = continuing;
  if (run.status === "PAUSED") return answerAll(continuing, deps);
  const checkpoint = await readCheckpoint<RunState>(deps.db, run);
  const retried = resumeFailedRun(run, form, checkpoint?.state, { clock: deps.clock, newId });
  return { ...retried, resolutions: [], recorded: [] };
}

/** Starts a new run that begins with the messages of the requested one. */
export async function startForkedRun(
  { run: source, form, request }: Continuing,
  deps: RunsDeps,
): Promise<StartedRun> {
  const now = epochSeconds(deps.clock);
  const facts = { run_id: deps.newRunId(), user_id: request.principal.user_id, now };
  const { run, state } = planFork(source, form, facts, { clock: deps.clock, newId });
  const started = { ...run, lease_until: now + LEASE_SECONDS };
  await startRun(deps.db, started, { newSession: undefined });
  const replaces = form.regenerate && form.replace_original ? source : undefined;
  return { run: started, from: state, continues: true, replaces };
}

export const changedConcurrently = ({ run_id }: StoredRun): ServiceError =>
  new ServiceError(
    "CONFLICT",
    `run ${run_id} was continued or cancelled by somebody else at the same moment`,
  );
