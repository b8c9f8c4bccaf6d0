import { retakeRun } from "../../../shared/engine/pause/plan-continue.ts";
import { planFork } from "../../../shared/engine/pause/plan-fork.ts";
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
 * Takes a run up that came to rest, in one conditional write: of two who continue it one does.
 *
 * @throws ServiceError CONFLICT when somebody else was first
 */
export async function beginResumed(continuing: Continuing, deps: RunsDeps): Promise<StartedRun> {
  const { run, job } = continuing;
  const now = epochSeconds(deps.clock);
  const { state, output: rested, resolutions, recorded } = await prepared(continuing, deps);
  const output = { ...rested, status: "RUNNING" as const };
  // A job's attempts are counted by its claims; what it did not claim goes on in the attempt that ended.
  const attempt = job ? run.attempt : run.attempt + 1;
  const lease_until = now + LEASE_SECONDS;
  const nextIndex = await nextEventIndex(deps.db, run);
  const taken = await continueRun(deps.db, { run, output, attempt, lease_until, resolutions, recorded, now });
  if (!taken) throw changed(run);
  const { checkpoint: _c, last_events: _e, ...rest } = run;
  const begun: StoredRun = { ...rest, status: "RUNNING", attempt, lease_until, output };
  return { run: begun, from: state, nextIndex, continues: true };
}

async function prepared(continuing: Continuing, deps: RunsDeps) {
  const { run, asked } = continuing;
  if (run.status === "PAUSED") return answerAll(continuing, deps);
  const checkpoint = await readCheckpoint<RunState>(deps.db, run);
  const retaken = retakeRun(run, asked, checkpoint?.state, { clock: deps.clock, newId });
  return { ...retaken, resolutions: [], recorded: [] };
}

/** Begins a new run with the messages of the one that was asked for. */
export async function beginFork(
  { run: source, asked, request }: Continuing,
  deps: RunsDeps,
): Promise<StartedRun> {
  const now = epochSeconds(deps.clock);
  const facts = { run_id: deps.newRunId(), user_id: request.principal.user_id, now };
  const { run, state } = planFork(source, asked, facts, { clock: deps.clock, newId });
  const begun = { ...run, lease_until: now + LEASE_SECONDS };
  await startRun(deps.db, begun, { newSession: undefined });
  const replaces = asked.regenerate && asked.replace_original ? source : undefined;
  return { run: begun, from: state, continues: true, replaces };
}

export const changed = ({ run_id }: StoredRun): ServiceError =>
  new ServiceError(
    "CONFLICT",
    `run ${run_id} was continued or cancelled by somebody else at the same moment`,
  );
