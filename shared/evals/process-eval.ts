import { sumOfMetrics } from "../engine/run/metrics.ts";
import { RunStopped } from "../engine/run/run-stopped.ts";
import { ServiceError } from "../errors.ts";
import { epochSeconds } from "../runtime/clock.ts";
import type { EvalTrial } from "../schemas/evals/eval-trial.ts";
import { claimEval, releaseEval } from "../stores/evals/claim-eval.ts";
import { endEval } from "../stores/evals/end-eval.ts";
import type { LeasedEval } from "../stores/evals/eval-item.ts";
import { finishTrial } from "../stores/evals/finish-trial.ts";
import { getPlan } from "../stores/evals/get-plan.ts";
import { listTrialNumbers, listTrials } from "../stores/evals/list-trials.ts";
import { purgeEval } from "../stores/evals/purge-eval.ts";
import { evalData } from "./eval-data.ts";
import type { EvalDeps } from "./eval-deps.ts";
import type { EvalWork } from "./eval-work.ts";
import { startLeaseHeartbeat } from "./lease-heartbeat.ts";
import { runTrial } from "./run-trial.ts";

/** Time kept back for the step of a run that is under way when a slice is over. */
const LAST_STEP_MS = 60_000;
/** Time kept back to give the evaluation on. */
const ENDING_MS = 10_000;
/** Claims in a row that may come to nothing before a person should look. */
const MAX_STALLS = 8;
/** Trials side by side: they wait for models. What is measured is run alone. */
const AT_A_TIME = 4;

/**
 * Goes on with an evaluation, as far as one function's life reaches; or removes what is left of one that is gone. May be
 * called at any time, by anybody, and again: one worker holds an evaluation at a time, and goes on with the trials that
 * none is recorded of.
 *
 *   claim ─▶ trial ─▶ record ─▶ trial ─▶ record ─▶ … ─▶ settle
 *              │        └ one transaction: the trial, and one more that is done
 *              │ died: once the lease is over, the same run goes on, see `trial-run.ts`
 *              └ out of time: given back, next message
 *
 * @param lifeMs  how long this process will live
 */
export async function processEval(deps: EvalDeps, id: string, lifeMs: number): Promise<void> {
  const { db, clock, newWorkerId } = deps;
  const startedAt = clock.now();
  const record = await claimEval(db, id, newWorkerId(), epochSeconds(clock));
  if (!record) return void (await purgeEval(db, id));
  if (record.stalls > MAX_STALLS) return fail(deps, record, STALLED);
  const lease = startLeaseHeartbeat(deps, record, lifeMs - ENDING_MS);
  try {
    await goOn({ deps, record, until: startedAt + lifeMs - LAST_STEP_MS, signal: lease.signal });
  } catch (error) {
    await stopAt(deps, record, error, lease.isLost());
  } finally {
    await lease.release();
  }
}

async function goOn(held: Omit<EvalWork, "plan" | "runnable">): Promise<void> {
  const { deps, record } = held;
  const plan = await getPlan(deps.db, record.id);
  if (!plan) throw new RunStopped("lost", "the evaluation is gone");
  const found = await findTarget(deps, record);
  if (typeof found === "string") return fail(deps, record, found);
  const runnable = plan.model === undefined ? found : { ...found, model: plan.model };
  const work: EvalWork = { ...held, plan, runnable };
  const recorded = await listTrialNumbers(deps.db, record.id, record.trials);
  const pending = Array.from({ length: record.trials }, (_, i) => i).filter((n) => !recorded.has(n));
  if (await workOff(work, pending)) return settle(work);
  await releaseEval(deps.db, record, epochSeconds(deps.clock), { progress: true });
  await wake(deps, record.id);
}

/** What is evaluated, at the version that the evaluation began with; or why that cannot be run any more. */
async function findTarget(
  { findRunnable }: EvalDeps,
  { agent_id, team_id, component_version: pinned }: LeasedEval,
): Promise<EvalWork["runnable"] | string> {
  const [kind, id] = agent_id === null ? (["team", team_id ?? ""] as const) : (["agent", agent_id] as const);
  try {
    const found = await findRunnable(kind, id, { pinned });
    if (found && found.kind !== "workflow") return found;
    return `${kind} ${id} is not registered on this platform any more`;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "UNPROCESSABLE") return error.message;
    throw error;
  }
}

/** @returns whether all are through; otherwise the time was */
async function workOff(work: EvalWork, pending: readonly number[]): Promise<boolean> {
  const broken = new AbortController();
  const guarded = { ...work, signal: AbortSignal.any([work.signal, broken.signal]) };
  const rest = pending.values();
  const lane = async (): Promise<number> => {
    let through = 0;
    for (const number of rest) {
      if (work.deps.clock.now() >= work.until) return through;
      const trial = await runTrial(guarded, number);
      if (!trial) return through;
      await record(work, trial);
      through += 1;
    }
    return through;
  };
  const lanes = Array.from({ length: lanesOf(work) }, () =>
    lane().catch((error) => {
      // The others stop too: whatever they would still write, somebody else does.
      broken.abort(new RunStopped("lost", "another trial was broken off"));
      throw error;
    }),
  );
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  return ended.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0) === pending.length;
}

const lanesOf = ({ record }: EvalWork): number => (record.eval_type === "performance" ? 1 : AT_A_TIME);

async function record({ deps, record: held }: EvalWork, trial: EvalTrial): Promise<void> {
  const recorded = await finishTrial(deps.db, held, trial, epochSeconds(deps.clock));
  if (!recorded) throw new RunStopped("lost", "the evaluation belongs to somebody else, or is gone");
}

async function settle({ deps, record, plan }: EvalWork): Promise<void> {
  const { db, clock } = deps;
  const { id, eval_type, trials: count, cases } = record;
  const trials = await listTrials(db, id, 0, count);
  const eval_data = evalData(eval_type, { id, plan, trials, withResults: cases === 1 });
  const metrics = sumOfMetrics(trials.map((trial) => trial.metrics));
  await endEval(db, record, { status: "completed", eval_data, metrics }, epochSeconds(clock));
}

async function fail({ db, clock, log }: EvalDeps, record: LeasedEval, error: string): Promise<void> {
  log.error("an evaluation failed", { eval_id: record.id, error });
  await endEval(db, record, { status: "failed", error }, epochSeconds(clock));
}

const STALLED = `It was begun ${MAX_STALLS} times without coming any further; the log of the eval worker says why.`;

/** Waits after something broke, double each time. */
const BASE_DELAY_SECONDS = 5;
const MAX_DELAY_SECONDS = 300;

/** An outage passes, and the evaluation goes on after it; what never passes shows in the end, because it stalls. */
async function stopAt(deps: EvalDeps, record: LeasedEval, error: unknown, isLost: boolean): Promise<void> {
  if (isLost) return;
  const isOver = error instanceof RunStopped && error.kind === "lost";
  if (!isOver) deps.log.error("an evaluation was broken off", { eval_id: record.id, error });
  const delay = isOver ? 0 : Math.min(MAX_DELAY_SECONDS, BASE_DELAY_SECONDS * 2 ** record.stalls);
  await releaseEval(deps.db, record, epochSeconds(deps.clock) + delay, { progress: false });
  await wake(deps, record.id, delay);
}

const wake = ({ queue, log }: EvalDeps, eval_id: string, delay = 0): Promise<void> =>
  queue
    .send({ eval_id }, delay)
    .catch((error) => log.warn("an evaluation's message was not sent", { eval_id, error: String(error) }));
