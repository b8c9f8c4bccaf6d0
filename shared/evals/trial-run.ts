import { type ExecutedRun, endRun } from "../engine/lifecycle/end-run.ts";
import { executeRun, type RunExecution } from "../engine/lifecycle/execute-run.ts";
import { checkpointOf } from "../engine/lifecycle/execute-runnable.ts";
import { newRun, newSessionFor } from "../engine/lifecycle/new-run.ts";
import { resumePoint } from "../engine/lifecycle/resume-point.ts";
import { executionTimeout, RunStopped } from "../engine/run/next-step.ts";
import { epochSeconds } from "../runtime/clock.ts";
import { derivedId } from "../runtime/ids.ts";
import type { StoredOutput } from "../schemas/runs/stored-output.ts";
import { trialSession } from "../stores/evals/index.ts";
import { packCheckpoint, saveCheckpoint } from "../stores/runs/checkpoint.ts";
import { appendEvents } from "../stores/runs/events.ts";
import { getRun } from "../stores/runs/get-run.ts";
import { markRunning } from "../stores/runs/mark-running.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { RunAddress } from "../stores/runs/run-keys.ts";
import { startRun } from "../stores/transactions/start-run.ts";
import type { EvalWork } from "./eval-work.ts";
import { caseOf } from "./trials.ts";

/**
 * Lease of a trial's run in seconds: as long as all functions together may live that try it before the evaluation
 * fails.
 */
const LEASE_SECONDS = 8 * 930;

/** The address of a trial's run: its ids are derived from the trial, so that the next worker finds it. */
export const addressOf = ({ record }: Pick<EvalWork, "record">, number: number): RunAddress =>
  record.online
    ? { owner: record.user_id, session_id: record.online.session_id, run_id: record.online.run_id }
    : {
        owner: record.user_id,
        session_id: trialSession(record.id, number),
        run_id: derivedId(`eval ${record.id} trial ${number}`),
      };

/** A run that was to be judged is removed with its session. */
export class RunGone extends Error {
  override readonly name = "RunGone";
}

/** The result of a run, and how long its execution took. */
export type RanTrial = { readonly output: StoredOutput; readonly seconds: number };

/**
 * Runs the evaluated component for one trial, in a session of its own. Executed once: a run that has ended is not begun
 * again, and one that was interrupted resumes after its last checkpoint.
 *
 *   no record        ─▶ begin
 *   RUNNING          ─▶ next attempt; the one before can no longer write
 *   ended            ─▶ its output, as it is
 *
 * @returns undefined where it yielded, to be resumed later
 * @throws  RunStopped with kind `lost` when another attempt owns the run; RunGone where a run that is judged afterwards
 *          is not there any more
 */
export async function trialRun(work: EvalWork, number: number): Promise<RanTrial | undefined> {
  const at = addressOf(work, number);
  const stored = await getRun(work.deps.db, at, epochSeconds(work.deps.clock));
  if (stored && hasEnded(stored)) return { output: stored.output, seconds: secondsOf(stored.output) };
  if (work.record.online) throw new RunGone("the run is gone");
  const started = stored ? await resume(work, stored) : await begin(work, at, number);
  return perform(work, started);
}

/** As the run itself has measured it, in milliseconds. */
const secondsOf = ({ metrics }: StoredOutput): number => metrics?.duration ?? 0;

/** Ending a run removes its lease. A record that reads as failed and still has one was left by a process that died. */
const hasEnded = ({ status, lease_until }: StoredRun): boolean =>
  status !== "RUNNING" && lease_until === undefined;

type StartedRun = Pick<RunExecution, "nextIndex" | "from" | "pending" | "continues" | "resumes"> & {
  readonly run: StoredRun;
};

async function begin(
  { deps, record, plan, runnable }: EvalWork,
  at: RunAddress,
  number: number,
): Promise<StartedRun> {
  const { db, clock, models } = deps;
  const { input } = caseOf(plan, number);
  const now = epochSeconds(clock);
  const request = {
    ...at,
    opens_session: true,
    user_id: record.user_id,
    input,
    kwargs: {},
    session_state: {},
    now,
  };
  const planned = newRun(runnable, request, models);
  const run: StoredRun = {
    ...planned,
    status: "RUNNING",
    attempt: 1,
    lease_until: now + LEASE_SECONDS,
    output: { ...planned.output, status: "RUNNING" },
  };
  const { written } = await startRun(db, run, { newSession: newSessionFor(planned) });
  if (!written) throw lost();
  return { run, nextIndex: 0 };
}

async function resume({ deps, record }: EvalWork, stored: StoredRun): Promise<StartedRun> {
  const { db, clock } = deps;
  const attempt = stored.attempt + 1;
  const marked = await markRunning(db, stored, attempt, epochSeconds(clock));
  if (!marked.started) throw lost();
  const run: StoredRun = { ...marked.run, output: { ...marked.run.output, status: "RUNNING" } };
  const point = await resumePoint(db, run, false);
  // Measured runs are never resumed: their time has to be that of one execution.
  return isMeasured(record) ? { run, nextIndex: point.nextIndex } : { run, ...point };
}

async function perform(work: EvalWork, { run, ...started }: StartedRun): Promise<RanTrial | undefined> {
  const { deps, record, until } = work;
  const { db, clock, settings } = deps;
  const stop = new AbortController();
  const seconds = settings.EXECUTION_TIMEOUT_SECONDS;
  const timeout = setTimeout(() => stop.abort(executionTimeout(seconds)), seconds * 1000);
  const beganMs = performance.now();
  try {
    const executed = await executeRun(deps, work.runnable, run, {
      attempt: run.attempt,
      ...started,
      signal: AbortSignal.any([stop.signal, work.signal]),
      ...(!isMeasured(record) && { shouldYield: () => clock.now() >= until }),
    });
    const { outcome, traced, sent } = executed;
    const took = Math.round((performance.now() - beganMs) * 1000) / 1_000_000;
    await Promise.all([traced, sent]);
    if (outcome.status === "YIELDED") return await suspend(deps, run, { ...executed, outcome });
    const written = await endRun(db, run, { ...executed, outcome }, { now: epochSeconds(clock), settings });
    if (!written) throw lost();
    // Only a measured run is executed in one piece: of another one this is its last part.
    return { output: outcome.output, seconds: isMeasured(record) ? took : secondsOf(outcome.output) };
  } finally {
    clearTimeout(timeout);
  }
}

async function suspend(
  { db }: EvalWork["deps"],
  run: StoredRun,
  {
    outcome,
    events,
  }: ExecutedRun<Extract<Awaited<ReturnType<typeof executeRun>>["outcome"], { status: "YIELDED" }>>,
): Promise<undefined> {
  if (events.events.length > 0) await appendEvents(db, run, events);
  const last = events.events.at(-1);
  const checkpoint = {
    ...checkpointOf(outcome),
    ...(last && { next_index: last.event_index + 1 }),
  };
  if (!(await saveCheckpoint(db, run, run.attempt, packCheckpoint(checkpoint)))) throw lost();
  return undefined;
}

const isMeasured = ({ eval_type }: EvalWork["record"]): boolean => eval_type === "performance";

const lost = (): RunStopped => new RunStopped("lost", "lost the fence: another process has the run");
