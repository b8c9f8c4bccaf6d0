import { pendingOf } from "../../engine/lifecycle/pending-of.ts";
import { planFork, resumeFailedRun } from "../../engine/pause/plan-fork.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import { readCheckpoint } from "../../stores/runs/checkpoint.ts";
import { nextEventIndex } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { continueRun } from "../../stores/transactions/continue-run.ts";
import { startRun } from "../../stores/transactions/start-run.ts";
import { limitedUser } from "../component.ts";
import {
  LEASE_SECONDS,
  type SlotsOf,
  type StartedInSlot,
  type StartedRun,
  startInSlot,
} from "../foreground/foreground-slot.ts";
import type { ClaimKey } from "../repeated-request.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { answerAll } from "./answer-all.ts";
import { type Continuing, changedConcurrently } from "./continuing.ts";

/**
 * Marks an ended or paused run as RUNNING again, by one conditional write: of two requests that continue it, one
 * succeeds.
 *
 * @throws ServiceError CONFLICT when another request was first; TOO_MANY_REQUESTS when the caller's runs have all slots
 */
export async function startResumedRun(
  continuing: Continuing,
  deps: RunsDeps,
  claim: ClaimKey,
): Promise<StartedRun> {
  const { run, job, request } = continuing;
  const now = epochSeconds(deps.clock);
  const {
    state,
    pending,
    keepsWritten,
    output: before,
    resolutions,
    recorded,
  } = await prepare(continuing, deps);
  const output = { ...before, status: "RUNNING" as const };
  // A job counts its attempts by claims. This execution is no claim, so it belongs to the attempt that ended.
  const attempt = job ? run.attempt : run.attempt + 1;
  const lease_until = now + LEASE_SECONDS;
  const nextIndex = await nextEventIndex(deps.db, run);
  const key = claim({ ...run, from: nextIndex }, now);
  const written = { run, output, attempt, lease_until, keepsWritten, resolutions, recorded, key, now };
  const { checkpoint: _c, last_events: _e, state_written, ...rest } = run;
  const repeats = keepsWritten && state_written && { state_written };
  const resumed: StoredRun = { ...rest, ...repeats, status: "RUNNING", attempt, lease_until, output };
  const tryOnce = async (slotsOf: SlotsOf): Promise<StartedInSlot> => {
    const slots = slotsOf(run.run_id);
    const result = await continueRun(deps.db, { ...written, slots });
    if (result.written)
      return {
        written: true,
        started: { run: resumed, from: state, pending, nextIndex, continues: true, slots },
      };
    if (result.because === "changed") throw changedConcurrently(run);
    return result;
  };
  return startInSlot(deps, limitedUser(request.principal), tryOnce, () => changedConcurrently(run));
}

async function prepare(continuing: Continuing, deps: RunsDeps) {
  const { run, form } = continuing;
  if (run.status === "PAUSED")
    return { ...(await answerAll(continuing, deps)), pending: undefined, keepsWritten: false };
  const checkpoint = await readCheckpoint<RunState>(deps.db, run);
  const retried = resumeFailedRun(run, form, checkpoint?.state, { clock: deps.clock, newId });
  return {
    ...retried,
    pending: checkpoint && pendingOf(run, checkpoint),
    // One that goes on from its last message repeats nothing.
    keepsWritten: checkpoint !== undefined || retried.state === undefined,
    resolutions: [],
    recorded: [],
  };
}

/** Starts a new run that begins with the messages of the requested one. */
export async function startForkedRun(
  { run: source, form, request }: Continuing,
  deps: RunsDeps,
  claim: ClaimKey,
): Promise<StartedRun> {
  const now = epochSeconds(deps.clock);
  const facts = { run_id: deps.newRunId(), user_id: request.principal.user_id, now };
  const { run, state } = planFork(source, form, facts, { clock: deps.clock, newId });
  const forked = { ...run, lease_until: now + LEASE_SECONDS };
  const replaces = form.regenerate && form.replace_original ? source : undefined;
  const tryOnce = async (slotsOf: SlotsOf): Promise<StartedInSlot> => {
    const slots = slotsOf(run.run_id);
    const result = await startRun(
      deps.db,
      forked,
      { newSession: undefined },
      { slots, now, isPublished: true, key: claim(forked, now) },
    );
    return result.written
      ? { written: true, started: { run: forked, from: state, continues: true, replaces, slots } }
      : result;
  };
  return startInSlot(deps, limitedUser(request.principal), tryOnce, () => changedConcurrently(source));
}
