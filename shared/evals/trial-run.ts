import { endRun } from "../engine/lifecycle/end-run.ts";
import { executeRun, type RunExecution } from "../engine/lifecycle/execute-run.ts";
import type { ExecutedRun } from "../engine/lifecycle/executed-run.ts";
import { newRun, newSessionFor } from "../engine/lifecycle/new-run.ts";
import { resumePoint } from "../engine/lifecycle/resume-point.ts";
import { RunStopped } from "../engine/run/run-stopped.ts";
import { epochSeconds } from "../runtime/clock.ts";
import { derivedId } from "../runtime/ids.ts";
import type { StoredOutput } from "../schemas/runs/stored-output.ts";
import { packCheckpoint } from "../stores/runs/checkpoint.ts";
import { appendEvents } from "../stores/runs/events.ts";
import { getRun } from "../stores/runs/get-run.ts";
import { markRunning } from "../stores/runs/mark-running.ts";
import type { RunAddress } from "../stores/runs/run-address.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { saveCheckpoint } from "../stores/runs/save-checkpoint.ts";
import { startRun } from "../stores/transactions/start-run.ts";
import type { EvalWork } from "./eval-work.ts";
import { caseOf } from "./trials.ts";

/**
 * Epoch seconds that the process of a trial's run may take: as long as all the functions may live together that are
 * let try it in vain.
 */
const LEASE_SECONDS = 8 * 930;

/** Where the run of a trial is: its ids follow from the trial, so that whoever comes next finds it. */
export const addressOf = ({ record }: Pick<EvalWork, "record">, number: number): RunAddress => ({
  owner: record.user_id,
  session_id: `eval_${record.id}_${number + 1}`,
  run_id: derivedId(`eval ${record.id} trial ${number}`),
});

/**
 * Runs the evaluated component for one trial, in a session of its own. Executed once: a run that has ended is not begun
 * again, and one that was broken off goes on after its last checkpoint.
 *
 *   no record        ─▶ begin
 *   RUNNING          ─▶ next attempt; the one before may write nothing more
 *   at its end       ─▶ its output, as it is
 *
 * @returns undefined where it was put down, to be gone on with later
 * @throws  RunStopped with kind `lost` when it belongs to somebody else
 */
export async function trialRun(work: EvalWork, number: number): Promise<StoredOutput | undefined> {
  const at = addressOf(work, number);
  const seen = await getRun(work.deps.db, at, epochSeconds(work.deps.clock));
  if (seen && hasEnded(seen)) return seen.output;
  const begun = seen ? await goOn(work, seen) : await begin(work, at, number);
  return perform(work, begun);
}

/** The lease goes with the end; a record that reads as failed under one was left behind by its process. */
const hasEnded = ({ status, lease_until }: StoredRun): boolean =>
  status !== "RUNNING" && lease_until === undefined;

type Begun = Pick<RunExecution, "nextIndex" | "from" | "continues" | "resumes"> & { readonly run: StoredRun };

async function begin(
  { deps, record, plan, runnable }: EvalWork,
  at: RunAddress,
  number: number,
): Promise<Begun> {
  const { db, clock, models } = deps;
  const { input } = caseOf(plan, number);
  const now = epochSeconds(clock);
  const asked = {
    ...at,
    opens_session: true,
    user_id: record.user_id,
    input,
    kwargs: {},
    session_state: {},
    now,
  };
  const planned = newRun(runnable, asked, models);
  const run: StoredRun = {
    ...planned,
    status: "RUNNING",
    attempt: 1,
    lease_until: now + LEASE_SECONDS,
    output: { ...planned.output, status: "RUNNING" },
  };
  if (!(await startRun(db, run, { newSession: newSessionFor(planned) }))) throw lost();
  return { run, nextIndex: 0 };
}

async function goOn({ deps, record }: EvalWork, seen: StoredRun): Promise<Begun> {
  const { db, clock } = deps;
  const attempt = seen.attempt + 1;
  const marked = await markRunning(db, seen, attempt, epochSeconds(clock));
  if (!marked.started) throw lost();
  const run: StoredRun = { ...marked.run, output: { ...marked.run.output, status: "RUNNING" } };
  const taken = await resumePoint(db, run, false);
  // What is measured is done in one go.
  return record.eval_type === "performance" ? { run, nextIndex: taken.nextIndex } : { run, ...taken };
}

async function perform(work: EvalWork, { run, ...begun }: Begun): Promise<StoredOutput | undefined> {
  const { deps, record, until } = work;
  const { db, clock, settings } = deps;
  const stop = new AbortController();
  const seconds = settings.EXECUTION_TIMEOUT_SECONDS;
  const timeout = setTimeout(
    () => stop.abort(new RunStopped("timeout", `execution timeout: not finished after ${seconds} seconds`)),
    seconds * 1000,
  );
  try {
    const executed = await executeRun(deps, work.runnable, run, {
      attempt: run.attempt,
      ...begun,
      signal: AbortSignal.any([stop.signal, work.signal]),
      ...(record.eval_type !== "performance" && { shouldYield: () => clock.now() >= until }),
    });
    const { outcome, traced } = executed;
    await traced;
    if (outcome.status === "YIELDED") return await suspended(deps, run, { ...executed, outcome });
    const kept = await endRun(db, run, { ...executed, outcome }, { now: epochSeconds(clock), settings });
    if (!kept) throw lost();
    return outcome.output;
  } finally {
    clearTimeout(timeout);
  }
}

async function suspended(
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
    state: outcome.state,
    ...(last && { next_index: last.event_index + 1 }),
  };
  if (!(await saveCheckpoint(db, run, run.attempt, packCheckpoint(checkpoint)))) throw lost();
  return undefined;
}

const lost = (): RunStopped => new RunStopped("lost", "the run belongs to somebody else");
