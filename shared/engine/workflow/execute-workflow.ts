import type { Workflow } from "../define/workflow.ts";
import { openSessionState } from "../ports/session-state.ts";
import { RunStopped } from "../run/next-step.ts";
import { newWorkflowState, type WorkflowState } from "../run/workflow-state.ts";
import { createStateWriter, openProgress } from "./progress.ts";
import {
  haveFailed,
  type Scope,
  StepFailed,
  StepRefused,
  type StepsResult,
  scopeOf,
  type WorkflowPorts,
} from "./scope.ts";
import { runAny, runSteps } from "./steps/run-steps.ts";
import {
  type WorkflowEnding,
  type WorkflowOutcome,
  type WorkflowRequest,
  workflowOutcome,
} from "./workflow-outcome.ts";

/**
 * Executes a workflow from its beginning, or from where an earlier execution yielded or paused, until it ends, a person
 * must be asked, or it is asked to yield. Finished steps are not run again.
 *
 * @param from  the yielded or paused state, with the answers entered since
 * @throws RunStopped with kind `lost`; nothing may be written for the run any more then
 * @source docs/interface/runs.md 5.10
 */
export async function executeWorkflow(
  workflow: Workflow,
  request: WorkflowRequest,
  ports: WorkflowPorts,
  from?: WorkflowState,
): Promise<WorkflowOutcome> {
  const progress = openProgress(from ?? newWorkflowState(ports.clock.now()));
  const scope: Scope = {
    ports,
    progress,
    sessionState: ports.sessionState ?? openSessionState({ base: request.session_state }, workflow),
    input: request.input,
    state: createStateWriter(progress.state, ports.saveCheckpoint),
    runSteps,
    runAny,
    ...scopeOf(workflow, request, 0, ports),
  };
  if (!from) scope.emit({ event: "WorkflowStarted" });
  const ending = await endingOf(workflow, request, scope);
  return workflowOutcome(ending, workflow, request, scope);
}

async function endingOf(workflow: Workflow, request: WorkflowRequest, scope: Scope): Promise<WorkflowEnding> {
  try {
    return endingFrom(await runSteps(workflow.steps, "", request.input, scope), scope);
  } catch (error) {
    if (error instanceof StepRefused) return { kind: "refused", reason: error.message };
    if (error instanceof StepFailed) {
      const { message, failed_by: cause, error_type } = error;
      return { kind: "failed", error: message, cause, error_type };
    }
    throw error;
  }
}

function endingFrom(result: StepsResult, { ports, progress }: Scope): WorkflowEnding {
  if (result.done && haveFailed(result.outputs))
    return { kind: "failed", error: noneSucceeded(result), cause: progress.lastFailure() };
  if (result.done) return { kind: "completed", content: result.content };
  if (ports.signal.aborted) return stopped(ports.signal);
  return progress.waitsForPeople() ? { kind: "paused" } : { kind: "yielded" };
}

/** Failures may be skipped, but a run without any other result has failed. */
const noneSucceeded = ({ outputs }: Extract<StepsResult, { done: true }>): string =>
  `No step succeeded. ${outputs.map(({ step_name, error }) => `${step_name}: ${error}`).join("; ")}`;

function stopped({ reason }: AbortSignal): WorkflowEnding {
  if (!(reason instanceof RunStopped) || reason.kind === "lost") throw reason;
  if (reason.kind === "cancelled") return { kind: "cancelled", reason: reason.message };
  return { kind: "failed", error: reason.message, cause: "timeout" };
}
