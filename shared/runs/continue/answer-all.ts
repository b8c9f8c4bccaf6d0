import { mayApprove } from "../../auth/may-approve.ts";
import type { ExecutionState } from "../../engine/lifecycle/execute-runnable.ts";
import { answerRun } from "../../engine/pause/answer-run.ts";
import { decideOnContinue } from "../../engine/pause/decide-on-continue.ts";
import { answersIn, type PlacedAnswer } from "../../engine/pause/enter-answers.ts";
import type { WorkflowState } from "../../engine/run/workflow-state.ts";
import { answerWorkflow, executorAnswers } from "../../engine/workflow/review/answer-workflow.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import { readCheckpoint } from "../../stores/runs/checkpoint.ts";
import type { Continuation } from "../../stores/transactions/continue-run.ts";
import { ownRequests } from "../own-requests.ts";
import type { RunsDeps } from "../runs-deps.ts";
import type { Continuing } from "./continuing.ts";

/** A paused run with its answers: the state to resume from, the output shown until then, and the approvals to write. */
export type Answered = Pick<Continuation, "output" | "resolutions" | "recorded"> & {
  readonly state: ExecutionState;
};

/**
 * A paused run with the request's answers and what its approvals say. An approver's answers also resolve pending
 * approvals.
 *
 * @throws ServiceError BAD_REQUEST while something is unanswered; CONFLICT while an approval is pending
 */
export async function answerAll(continuing: Continuing, deps: RunsDeps): Promise<Answered> {
  const { request, form, approvals } = continuing;
  const now = epochSeconds(deps.clock);
  const { principal } = request;
  const answers = toolAnswers(continuing);
  const { APPROVERS } = deps.settings;
  const isOwn = await ownRequests(
    deps.db,
    principal,
    approvals.map(({ user_id }) => user_id),
    APPROVERS,
  );
  const decided = approvals.map((approval) =>
    mayApprove(principal, approval.user_id, APPROVERS, isOwn)
      ? decideOnContinue(approval, answers, principal.user_id, now)
      : { approval },
  );
  const current = decided.map(({ approval }) => approval);
  const resolutions = decided.flatMap(({ approval: { id }, resolution }) =>
    resolution ? [{ id, resolution }] : [],
  );
  const resolved_by = principal.user_id;
  return {
    ...(await answerPaused({ ...continuing, form, approvals: current, resolved_by }, deps)),
    resolutions,
  };
}

/** The answers about tool calls; each kind of run takes them in a form of its own. */
const toolAnswers = ({ form, run, runnable }: Continuing): readonly PlacedAnswer[] =>
  runnable.kind === "workflow"
    ? executorAnswers(form.step_requirements, run.output)
    : answersIn(form, run.output);

/** A paused run, the answers to it, and its approvals as they are decided by now. */
export type Answering = Pick<Continuing, "run" | "runnable" | "job" | "form" | "approvals"> & {
  readonly resolved_by: string | null;
};

/**
 * A paused run with these answers, and with what its approvals say.
 *
 * @throws ServiceError BAD_REQUEST while something is unanswered; CONFLICT while an approval is pending
 */
export async function answerPaused(
  { run, runnable, form, approvals, job, resolved_by }: Answering,
  { db, clock }: Pick<RunsDeps, "db" | "clock">,
): Promise<Omit<Answered, "resolutions">> {
  const who = { resolved_by, now: epochSeconds(clock) };
  const ports = { clock, newId };
  if (runnable.kind !== "workflow") {
    const how = { ...ports, resumesElsewhere: job?.code_version !== undefined };
    return answerRun(run, form, approvals, runnable, who, how);
  }
  const checkpoint = await readCheckpoint<WorkflowState>(db, run);
  if (!checkpoint) throw new Error(`paused workflow run ${run.run_id} has no checkpoint`);
  const answering = { workflow: runnable, run, approvals, who, ports };
  const { state, recorded } = answerWorkflow(checkpoint.state, form.step_requirements, answering);
  const step_requirements = Object.values(state.requirements);
  return { state, output: { ...run.output, step_requirements }, recorded };
}
