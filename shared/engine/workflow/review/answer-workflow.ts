import { isTimedOut } from "../../../domain/runs/open-requirements.ts";
import { ServiceError } from "../../../errors.ts";
import type { StepAnswer } from "../../../schemas/runs/pause-answers.ts";
import type { StoredOutput } from "../../../schemas/runs/stored-output.ts";
import type { StepRequirement } from "../../../schemas/runs/workflow-run.ts";
import { ownMember } from "../../../schemas/values/json-values.ts";
import type { StoredApproval } from "../../../stores/approvals/approval-item.ts";
import { approvalIds } from "../../../stores/approvals/end-approvals.ts";
import type { StoredRun } from "../../../stores/runs/run-item.ts";
import type { Workflow } from "../../define/workflow.ts";
import { type Answerer, answerRun } from "../../pause/answer-run.ts";
import { keyWithin } from "../../pause/approval-of.ts";
import { answersIn, type PlacedAnswer } from "../../pause/enter-answers.ts";
import type { EnginePorts } from "../../ports/engine-ports.ts";
import type { NestedRun, WorkflowState } from "../../run/workflow-state.ts";
import { answerRequirement, executorAt } from "./answer-requirement.ts";
import { isAnswered } from "./requirement.ts";

/** A paused workflow with its answers entered, and the records of audited answers. */
export type AnsweredWorkflow = {
  readonly state: WorkflowState;
  readonly recorded: readonly StoredApproval[];
};

type Ports = Pick<EnginePorts, "clock" | "newId">;
type Answering = {
  readonly workflow: Workflow;
  readonly run: StoredRun;
  readonly approvals: readonly StoredApproval[];
  readonly who: Answerer;
  readonly ports: Ports;
};

/**
 * Enters a client's answers in the state of a paused workflow. Everything open must be answered at once, except
 * requirements whose timeout has passed.
 *
 * @throws ServiceError BAD_REQUEST for an answer to an unknown requirement, an answer of the wrong form, or a
 *         requirement that stays open; CONFLICT as `answerRun` for the calls of agents and teams
 */
export function answerWorkflow(
  state: WorkflowState,
  answers: readonly StepAnswer[],
  answering: Answering,
): AnsweredWorkflow {
  const recorded: StoredApproval[] = [];
  let answered = state;
  for (const answer of answers) {
    const entered = enter(answered, answer, answering);
    answered = entered.state;
    recorded.push(...entered.recorded);
  }
  for (const step_id of decidedSteps(answered, answering.approvals)) {
    const entered = enterForExecutor(answered, step_id, {}, answering);
    answered = entered.state;
    recorded.push(...entered.recorded);
  }
  requireAnswers(answered, answering.ports.clock.now());
  return { state: answered, recorded };
}

/** Steps whose agent or team waits for approvals that are all decided: they need no further answer. */
function decidedSteps(state: WorkflowState, approvals: readonly StoredApproval[]): string[] {
  const decided = new Set(approvals.flatMap(({ id, status }) => (status === "pending" ? [] : [id])));
  return Object.values(state.requirements).flatMap((asked) => {
    if (!asked.requires_executor_input || !isOpen(state, asked)) return [];
    const waiting = approvalIds(ownMember(state.nested, asked.step_id)?.output ?? {});
    return waiting.length > 0 && waiting.every((id) => decided.has(id)) ? [asked.step_id] : [];
  });
}

function enter(state: WorkflowState, answer: StepAnswer, answering: Answering): AnsweredWorkflow {
  const { step_id, decision } = answer;
  const failure = ownMember(state.errors, step_id);
  if (failure && failure.decision === null && decision != null) {
    const errors = { ...state.errors, [step_id]: { ...failure, decision } };
    return { state: { ...state, errors }, recorded: [] };
  }
  const key = keyOf(state, answer);
  const asked = key === undefined ? undefined : ownMember(state.requirements, key);
  if (key === undefined || !asked) {
    throw new ServiceError("BAD_REQUEST", `this run asks nothing about a step ${step_id}`);
  }
  if (asked.requires_executor_input) return enterForExecutor(state, step_id, answer, answering);
  const requirements = { ...state.requirements, [key]: answerRequirement(asked, answer) };
  return { state: { ...state, requirements }, recorded: [] };
}

/** The review of a step's output has a key of its own. */
function keyOf(state: WorkflowState, { step_id, is_post_execution }: StepAnswer): string | undefined {
  const outputKey = `${step_id}#output`;
  if (is_post_execution === true) return outputKey;
  const before = ownMember(state.requirements, step_id);
  return before && (isOpen(state, before) || !(outputKey in state.requirements)) ? step_id : outputKey;
}

function enterForExecutor(
  state: WorkflowState,
  step_id: string,
  { executor_requirements }: Pick<StepAnswer, "executor_requirements">,
  { workflow, run, approvals, who, ports }: Answering,
): AnsweredWorkflow {
  const nested = ownMember(state.nested, step_id);
  const executor = executorAt(workflow, step_id);
  if (!nested?.paused || !nested.output || !executor) {
    throw new ServiceError("BAD_REQUEST", `the step ${step_id} waits for nothing`);
  }
  const paused = { ...run, output: nested.output, ...(nested.digests && { digests: { ...nested.digests } }) };
  const request = { ...emptyRequest, requirements: executor_requirements ?? [] };
  const {
    state: answered,
    output,
    recorded,
  } = answerRun(
    paused,
    request,
    approvalsWithin(nested.run_id, approvals),
    executor,
    who,
    ports,
    `executor_requirements of ${step_id} in step_requirements`,
  );
  const resumed: NestedRun = { ...nested, state: answered, output };
  return {
    state: {
      ...state,
      nested: { ...state.nested, [step_id]: resumed },
      decisions: { ...state.decisions, [`${step_id}#answered`]: true },
    },
    recorded,
  };
}

const emptyRequest = {
  tools: [],
  input: undefined,
  continue_from: "end" as const,
  fork: false,
  regenerate: false,
  replace_original: false,
};

/** A client's answers to the calls of agents and teams, each with the run that made the call. */
export function executorAnswers(
  answers: readonly StepAnswer[],
  { step_requirements = [], step_executor_runs = [] }: Partial<StoredOutput>,
): PlacedAnswer[] {
  return answers.flatMap(({ step_id, executor_requirements }) => {
    const asked = step_requirements.find((one) => one.step_id === step_id && one.requires_executor_input);
    const nested = step_executor_runs.find(({ run_id }) => run_id === asked?.executor_run_id);
    if (!nested) return [];
    return answersIn({ tools: [], requirements: executor_requirements ?? [] }, nested).map((answer) => ({
      ...answer,
      member_run_id: answer.member_run_id ?? nested.run_id,
    }));
  });
}

/** Approvals use the workflow's keys of calls; the run of a step uses the ids alone for its own. */
const approvalsWithin = (run_id: string, approvals: readonly StoredApproval[]): StoredApproval[] =>
  approvals.map((approval) => ({
    ...approval,
    digests: within(run_id, approval.digests),
    ...(approval.edited_args && { edited_args: within(run_id, approval.edited_args) }),
  }));

const within = <T>(run_id: string, byKey: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(byKey).map(([key, value]) => [keyWithin(run_id, key), value]));

function requireAnswers(state: WorkflowState, nowMs: number): void {
  const questions = Object.values(state.requirements).filter(
    (asked) => isOpen(state, asked) && !isTimedOut(asked, nowMs),
  );
  const failures = Object.values(state.errors).filter(({ decision }) => decision === null);
  const open = [
    ...questions.map((asked) => `${asked.step_id}: ${neededAnswers(asked).join(", ")}`),
    ...failures.map(({ step_id }) => `${step_id}: decision=retry or skip`),
  ];
  if (open.length === 0) return;
  throw new ServiceError(
    "BAD_REQUEST",
    `the run waits for answers in step_requirements that were not given: ${open.join("; ")}`,
  );
}

function isOpen({ results, nested, decisions }: WorkflowState, asked: StepRequirement): boolean {
  const { step_id } = asked;
  if (step_id in results) return false;
  if (asked.requires_executor_input) {
    return ownMember(nested, step_id)?.paused === true && decisions[`${step_id}#answered`] !== true;
  }
  return !isAnswered(asked) && (!asked.is_post_execution || asked.step_output !== undefined);
}

const neededAnswers = (asked: StepRequirement): string[] => [
  ...(asked.requires_confirmation || asked.requires_output_review ? ["confirmed=true or false"] : []),
  ...(asked.requires_user_input ? ["user_input"] : []),
  ...(asked.requires_route_selection ? ["selected_choices"] : []),
  ...(asked.requires_executor_input ? ["answers in executor_requirements"] : []),
];
