import {
  defineWorkflow,
  type StepFunction,
  type StepReview,
  type WorkflowStep,
} from "../../../shared/engine/define/workflow.ts";
import { RunStopped } from "../../../shared/engine/run/next-step.ts";
import type { WorkflowState } from "../../../shared/engine/run/workflow-state.ts";
import { executeWorkflow } from "../../../shared/engine/workflow/execute-workflow.ts";
import type { NestedTask, WorkflowPorts } from "../../../shared/engine/workflow/scope.ts";
import type { WorkflowRequest } from "../../../shared/engine/workflow/workflow-outcome.ts";
import type { RunEvent } from "../../../shared/schemas/runs/run-event.ts";
import type { WorkflowEvent } from "../../../shared/schemas/runs/workflow-event.ts";
import type { StepRequirement } from "../../../shared/schemas/runs/workflow-run.ts";
import { START_SECONDS, tickingClock } from "../support/run-agent.ts";

export const request: WorkflowRequest = {
  run_id: "run-1",
  session_id: "session-1",
  user_id: "maria",
  input: "topic",
  session_state: {},
  created_at: START_SECONDS,
};

export const functionStep = (
  name: string,
  executor: StepFunction = ({ previous }) => `${previous}>${name}`,
  more: { review?: StepReview; on_error?: "skip" | "fail" | "pause"; max_retries?: number } = {},
): WorkflowStep => ({ name, type: "Step", executor, ...more });

const aWorkflow = (...steps: WorkflowStep[]) => defineWorkflow({ id: "flow", name: "Flow", steps });

type Options = {
  readonly from?: WorkflowState;
  readonly shouldYield?: () => boolean;
  readonly signal?: AbortSignal;
  readonly warn?: WorkflowPorts["warn"];
  readonly execute?: (task: NestedTask) => ReturnType<WorkflowPorts["execute"]>;
};

/** Executes a workflow once, and collects what it emitted. */
export async function play(steps: readonly WorkflowStep[], options: Options = {}) {
  const events: (WorkflowEvent | RunEvent)[] = [];
  let ids = 0;
  const outcome = await executeWorkflow(
    aWorkflow(...steps),
    request,
    {
      clock: tickingClock(),
      newId: () => `id-${++ids}`,
      emit: (event) => events.push(event),
      signal: options.signal ?? new AbortController().signal,
      execute: options.execute ?? (() => Promise.reject(new Error("no agent is part of this workflow"))),
      ...(options.warn && { warn: options.warn }),
      ...(options.shouldYield && { shouldYield: options.shouldYield }),
    },
    // As another process gets it.
    options.from && JSON.parse(JSON.stringify(options.from)),
  );
  return { outcome, events, eventNames: events.map(({ event }) => event) };
}

/** The state of a paused run with one of its requirements answered. */
export function answered(state: WorkflowState, key: string, answer: Partial<StepRequirement>): WorkflowState {
  const asked = state.requirements[key];
  if (!asked) throw new Error(`nothing is asked under ${key}`);
  return { ...state, requirements: { ...state.requirements, [key]: { ...asked, ...answer } } };
}

export function stateOf(outcome: Awaited<ReturnType<typeof play>>["outcome"]): WorkflowState {
  if (outcome.status === "PAUSED" || outcome.status === "YIELDED") return outcome.state;
  throw new Error(`the workflow is ${outcome.status}`);
}

export const cancelled = () => new RunStopped("cancelled", "The run was cancelled.");
