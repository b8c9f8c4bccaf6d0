import { isSampled } from "../../domain/evals/is-sampled.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { approvalIds } from "../../stores/approvals/end-approvals.ts";
import type { Db } from "../../stores/db.ts";
import { onlineEvalId, type StoredEval } from "../../stores/evals/index.ts";
import { packCheckpoint } from "../../stores/runs/checkpoint.ts";
import type { EventBatch } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunAddress } from "../../stores/runs/run-keys.ts";
import { commitEnding } from "../../stores/transactions/commit-ending.ts";
import type { Ended, Ending } from "../../stores/transactions/ending.ts";
import { approvalOfPause } from "../pause/approval-of.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { WorkflowState } from "../run/workflow-state.ts";
import { isAnswered } from "../workflow/review/requirement.ts";
import { inboxEnding } from "./inbox.ts";
import { sessionProgress, stateProgress } from "./record-ending.ts";

/** What is written with the end of a run that has no job. */
export type RunEnd = {
  /** Epoch seconds. */
  readonly now: number;
  readonly settings: Parameters<typeof pauseOf>[3];
  /** Attempts of a run that answers messages which came too late; absent where nothing executes it. */
  readonly restBudget?: number | undefined;
  /** The completed run whose answer it replaces once it has completed itself. */
  readonly replaces?: RunAddress | undefined;
};

/**
 * Writes the end of an execution that has no job: output, events, session, pause and nested runs.
 *
 * @returns undefined when another attempt owns the record by now: nothing was written
 */
export function endRun(
  db: Db,
  run: StoredRun,
  { outcome, events }: Pick<ExecutedRun, "outcome" | "events">,
  { now, settings, restBudget, replaces }: RunEnd,
): Promise<Ended | undefined> {
  return commitEnding(db, {
    at: { owner: run.owner, session_id: run.session_id, run_id: run.run_id },
    attempt: run.attempt,
    publishedRun: run,
    output: outcome.output,
    events,
    session: sessionProgress(run, outcome, now),
    state: stateProgress(run, outcome),
    job: undefined,
    ...pauseOf(run, outcome, now, settings),
    nested: nestedRuns(run, outcome),
    evaluation: onlineEvalOf(run, outcome, now),
    inbox: inboxEnding(run, outcome, restBudget, now),
    ...(outcome.status === "COMPLETED" && { replaces }),
  });
}

/** What is written beside the run when it pauses; empty for an execution that did not pause. @param now epoch seconds */
export function pauseOf(
  run: StoredRun,
  outcome: RunOutcome,
  now: number,
  settings: { readonly APPROVAL_EXPIRES_SECONDS: number },
): Pick<Ending, "pause"> {
  if (outcome.status !== "PAUSED") return {};
  const approval = approvalOfPause(run, outcome, now, settings.APPROVAL_EXPIRES_SECONDS);
  const { digests, output, state } = outcome;
  const checkpoint = state && packCheckpoint({ state });
  return {
    pause: {
      digests,
      approval,
      approval_ids: approvalIds(output),
      ...(state && checkpoint && { checkpoint, resumes_at: resumesAt(state) }),
    },
  };
}

/** When a paused workflow resumes without an answer, in epoch seconds; undefined where it never does. */
function resumesAt({ requirements, results }: WorkflowState): number | undefined {
  const deadlines = Object.values(requirements).flatMap((asked) =>
    asked.timeout_at === null || isAnswered(asked) || asked.step_id in results
      ? []
      : [Math.ceil(Date.parse(asked.timeout_at) / 1000)],
  );
  return deadlines.length > 0 ? Math.min(...deadlines) : undefined;
}

/**
 * The evaluation of a run that has completed, where it is among the share that its component has judged. It is written
 * with the end of the run and has no message, so it costs the run one entry of its transaction: the sweeper's next round
 * sends the message.
 *
 * @param now  epoch seconds
 */
export function onlineEvalOf(run: StoredRun, outcome: RunOutcome, now: number): StoredEval | undefined {
  if (outcome.status !== "COMPLETED" || !outcome.online_evaluation) return undefined;
  const { sample_ratio, daily_evaluations, daily_cost, ...asked } = outcome.online_evaluation;
  if (run.component_type === "workflow" || !isSampled(run.run_id, sample_ratio)) return undefined;
  const isAgent = run.component_type === "agent";
  const { output } = outcome;
  return {
    id: onlineEvalId(run.run_id),
    eval_type: "agent_as_judge",
    name: null,
    agent_id: isAgent ? run.component_id : null,
    team_id: isAgent ? null : run.component_id,
    ...(run.component_version !== undefined && { component_version: run.component_version }),
    online: {
      session_id: run.session_id,
      run_id: run.run_id,
      ...(daily_evaluations !== undefined && { daily_evaluations }),
      ...(daily_cost !== undefined && { daily_cost }),
    },
    evaluated_component_name: (isAgent ? output.agent_name : output.team_name) ?? null,
    // The judge is chosen when it judges, by the settings of that moment.
    model_id: null,
    model_provider: null,
    eval_data: {},
    eval_input: {
      criteria: asked.criteria,
      scoring_strategy: asked.scoring_strategy,
      threshold: asked.scoring_strategy === "binary" ? null : asked.threshold,
      additional_guidelines: asked.additional_guidelines ?? null,
    },
    user_id: run.owner,
    status: "running",
    error: null,
    cases: 1,
    trials: 1,
    done: 0,
    stalls: 0,
    created_at: now,
    updated_at: now,
  };
}

/**
 * The runs that ended within a run, as records of their own: those of a team's members, those of the agents and teams
 * of a workflow's steps, and the runs within them.
 *
 * @source docs/interface/sessions.md 5.1
 */
export function nestedRuns(run: StoredRun, { output }: RunOutcome): StoredRun[] {
  return within(output)
    .filter(({ status }) => hasEnded.has(status))
    .map((nested) => ({
      run_id: nested.run_id,
      session_id: run.session_id,
      owner: run.owner,
      component_type: nested.team_id === undefined ? "agent" : "team",
      component_id: nested.team_id ?? nested.agent_id ?? "",
      status: nested.status,
      attempt: run.attempt,
      queued: false,
      opens_session: false,
      kwargs: {},
      output: nested,
    }));
}

const hasEnded: ReadonlySet<string> = new Set(["COMPLETED", "ERROR", "CANCELLED"]);

function within({ member_responses = [], step_executor_runs = [] }: Partial<StoredOutput>): RunOutput[] {
  const runs = [...member_responses, ...step_executor_runs];
  return runs.flatMap((nested) => [nested, ...within(nested)]);
}

/** The result of one execution of a run. */
export type ExecutedRun<Outcome = RunOutcome> = {
  readonly outcome: Outcome;
  /** Events that are not written yet; they belong in the transaction that ends the run. */
  readonly events: EventBatch;
  /** Resolves once the spans are written; never rejects. The caller awaits it before the process ends. */
  readonly traced: Promise<void>;
  /**
   * Resolves once they have been sent elsewhere too, for which no client waits where its function may work on after its answer.
   *
   * @source docs/interface/traces.md 3.5
   */
  readonly sent: Promise<void>;
};
