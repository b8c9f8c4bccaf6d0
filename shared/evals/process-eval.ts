import { sumOfMetrics } from "../engine/run/metrics.ts";
import { RunStopped } from "../engine/run/next-step.ts";
import { ServiceError } from "../errors.ts";
import { epochSeconds } from "../runtime/clock.ts";
import type { EvalTrial } from "../schemas/evals/eval-trial.ts";
import {
  admitOnline,
  endEval,
  evalWork,
  finishTrial,
  isDatasetId,
  type LeasedEval,
  listTrialNumbers,
  listTrials,
  purgeDataset,
  purgeEval,
  type StoredEval,
} from "../stores/evals/index.ts";
import { type Leased, runWork } from "../work/index.ts";
import { evalTotals } from "./case-outcome.ts";
import { contentDigest } from "./content-digest.ts";
import { evalData } from "./eval-data.ts";
import type { EvalDeps } from "./eval-deps.ts";
import type { EvalWork } from "./eval-work.ts";
import { failureOf } from "./failure-of.ts";
import { planOfEval } from "./plan-of-eval.ts";
import { runTrial } from "./run-trial.ts";
import { RunGone } from "./trial-run.ts";

/** Time reserved for the current step of a run when a slice is over. */
const LAST_STEP_MS = 60_000;
/** Time reserved to release the evaluation. */
const ENDING_MS = 10_000;
/** Concurrent trials: they wait for models. Performance trials run one at a time. */
const CONCURRENCY = 4;

/**
 * Processes an evaluation for as long as one function lives; or purges what is left of a deleted one. May be called at
 * any time and repeatedly: one worker holds the lease of an evaluation at a time, and continues with the trials that are
 * not recorded yet.
 *
 *   claim ─▶ trial ─▶ record ─▶ trial ─▶ record ─▶ … ─▶ complete
 *              │        └ one transaction: the trial, and the count of finished ones
 *              │ died: once the lease has expired, the same run resumes, see `trial-run.ts`
 *              └ out of time: released, next message
 *
 * @param lifeMs  how long this process will live
 */
export async function processEval(deps: EvalDeps, id: string, lifeMs: number): Promise<void> {
  const { db, clock } = deps;
  const until = clock.now() + lifeMs - LAST_STEP_MS;
  const by = ({ record, worker }: Leased<StoredEval>): LeasedEval => ({ ...record, worker });
  await runWork(
    evalWork,
    { ...deps, meter: deps.workMeter },
    id,
    {
      idle: async () => void (await (isDatasetId(id) ? purgeDataset(db, id) : purgeEval(db, id))),
      // So that a person looks at it.
      exhausted: (leased) => fail(deps, by(leased), STALLED),
      work: (leased) => runTrials({ deps, record: by(leased), until, signal: leased.signal }),
      failed: (leased, error) => {
        if (error instanceof RunGone) return fail(deps, by(leased), GONE);
        return leased.isLost() ? undefined : releaseAfterError(deps, by(leased), error);
      },
    },
    {
      lifeMs: lifeMs - ENDING_MS,
      reason: (why) => (why === "lost" ? lost() : new RunStopped("lost", "the process ends")),
    },
  );
}

/** Another worker has the evaluation by now, or it is gone. */
const lost = (): RunStopped => new RunStopped("lost", "lost the lease of the evaluation");

async function runTrials(claimed: Omit<EvalWork, "plan" | "runnable">): Promise<void> {
  const { deps, record } = claimed;
  const planned = await planOfEval(deps.db, record);
  if (!planned) throw lost();
  const found = await findTarget(deps, record);
  if (typeof found === "string") return fail(deps, record, found);
  if (await isEdited(deps, record)) return fail(deps, record, EDITED);
  const admitted = await admitOnline(deps.db, record, epochSeconds(deps.clock));
  if (admitted === "lost") throw lost();
  if (admitted === "over budget") return fail(deps, record, OVER_BUDGET);
  const { online_evaluation: _, ...quiet } = found;
  const runnable = planned.model === undefined ? quiet : { ...quiet, model: planned.model };
  const judge = record.online ? (deps.settings.JUDGE_MODEL ?? found.model) : planned.judge;
  const work: EvalWork = {
    ...claimed,
    plan: { ...planned, ...(judge !== undefined && { judge }) },
    runnable,
  };
  const recorded = await listTrialNumbers(deps.db, record.id, record.trials);
  const pending = Array.from({ length: record.trials }, (_, i) => i).filter((n) => !recorded.has(n));
  if (await runPending(work, pending)) return complete(work);
  // Progress within a trial that is not recorded yet is progress too.
  await release(deps, record, { stalls: 0 });
}

/** The component to evaluate, at the version that the evaluation began with; or why it cannot be run any more. */
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

/** @returns whether all are finished; otherwise the time is over */
async function runPending(work: EvalWork, pending: readonly number[]): Promise<boolean> {
  const broken = new AbortController();
  const guarded = { ...work, signal: AbortSignal.any([work.signal, broken.signal]) };
  const rest = pending.values();
  const worker = async (): Promise<number> => {
    let finished = 0;
    for (const number of rest) {
      if (work.deps.clock.now() >= work.until) return finished;
      const trial = await runTrial(guarded, number);
      if (!trial) return finished;
      await saveTrial(work, trial);
      finished += 1;
    }
    return finished;
  };
  const workers = Array.from({ length: concurrencyOf(work) }, () =>
    worker().catch((error) => {
      // The others stop too: the next claim repeats their trials.
      broken.abort(new RunStopped("lost", "another trial was broken off"));
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  const failed = ended.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
  return ended.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0) === pending.length;
}

const concurrencyOf = ({ record }: EvalWork): number =>
  record.eval_type === "performance" ? 1 : CONCURRENCY;

async function saveTrial({ deps, record, plan }: EvalWork, trial: EvalTrial): Promise<void> {
  const judge = trial.judge && deps.models.describe(plan.judge);
  const judge_model = judge && { id: judge.id, provider: judge.provider };
  const saved = await finishTrial(deps.db, record, trial, epochSeconds(deps.clock), judge_model);
  if (!saved) throw lost();
}

async function complete({ deps, record, plan }: EvalWork): Promise<void> {
  const { db, clock, log } = deps;
  if (await isEdited(deps, record)) return fail(deps, record, EDITED);
  const { id, eval_type, trials: count, cases } = record;
  const trials = await listTrials(db, id, 0, count);
  const eval_data = evalData(eval_type, { id, plan, trials, withResults: cases === 1 });
  const metrics = sumOfMetrics(trials.map((trial) => trial.metrics));
  const error = failureOf(eval_type, trials);
  const totals = evalTotals(eval_type, plan, trials);
  const status =
    error === undefined ? ({ status: "completed" } as const) : ({ status: "failed", error } as const);
  const ended = await endEval(db, record, { ...status, eval_data, metrics, totals }, epochSeconds(clock));
  if (ended && error !== undefined) log.error("the results of an evaluation say nothing", { eval_id: id });
}

async function fail({ db, clock, log }: EvalDeps, record: LeasedEval, error: string): Promise<void> {
  // One that another worker has by now, or that is gone, has not failed.
  if (!(await endEval(db, record, { status: "failed", error }, epochSeconds(clock)))) return;
  log.error("an evaluation failed", { eval_id: record.id, error });
}

/** Whether a draft is not what it was when its evaluation began: results would be of two versions. */
async function isEdited({ db }: EvalDeps, record: LeasedEval): Promise<boolean> {
  const { agent_id, team_id, component_version: version, component_digest } = record;
  if (component_digest === undefined) return false;
  return (await contentDigest(db, { id: agent_id ?? team_id ?? "", version })) !== component_digest;
}

const EDITED = "The version was edited while it was evaluated; evaluate it again.";
const OVER_BUDGET = "What may be spent in a day on judging runs of this component is used up.";
const GONE = "The run is gone: it was removed with its session.";
const STALLED = `It was begun ${evalWork.retry.most} times without coming any further; the log of the eval worker says why.`;

/** Retries after a delay, because most outages pass. An error that stays fails the evaluation by its count of stalls. */
function releaseAfterError(deps: EvalDeps, record: LeasedEval, error: unknown): Promise<void> {
  const isOver = error instanceof RunStopped && error.kind === "lost";
  if (!isOver) deps.log.error("an evaluation was interrupted", { eval_id: record.id, error });
  return release(deps, record, {}, isOver ? 0 : evalWork.retryDelay(record.stalls));
}

async function release(
  deps: EvalDeps,
  { id, worker }: LeasedEval,
  set: Partial<Pick<StoredEval, "stalls">>,
  delaySeconds = 0,
): Promise<void> {
  const due = epochSeconds(deps.clock) + delaySeconds;
  await evalWork.release(deps.db, id, worker, { set, due });
  await evalWork.wake(deps, { eval_id: id }, delaySeconds);
}
