import type { PendingState } from "../../domain/sessions/session-state.ts";
import type { UnindexedEvent } from "../../schemas/runs/run-event.ts";
import type { Checkpoint } from "../../stores/runs/checkpoint.ts";
import { withOwnInputs } from "../define/agent.ts";
import type { Runnable } from "../define/runnable.ts";
import { executeSlice } from "../loop/execute-slice.ts";
import { keyAround } from "../pause/approval-of.ts";
import { openSessionState } from "../ports/session-state.ts";
import type { SlicePorts } from "../run/execution.ts";
import type { RunOutcome } from "../run/run-outcome.ts";
import type { RunRequest } from "../run/run-request.ts";
import type { RunState } from "../run/run-state.ts";
import { traceRun } from "../run/trace-run.ts";
import type { WorkflowState } from "../run/workflow-state.ts";
import type { WorkflowOutcome } from "../workflow/workflow-outcome.ts";

/** The state of any run between two steps. */
export type ExecutionState = RunState | WorkflowState;

/** A run that is not over, with its whole state after the last step. */
export type Suspended = {
  readonly status: "YIELDED";
  readonly state: ExecutionState;
  /** What it has changed in its session's state and not written. */
  readonly pending_state?: PendingState;
};

/** What its checkpoint has of a suspended run. */
export const checkpointOf = ({
  state,
  pending_state,
}: Suspended): Pick<Checkpoint<ExecutionState>, "state" | "pending_state"> => ({
  state,
  ...(pending_state && { pending_state }),
});

export type ExecutionPorts = Omit<SlicePorts, "saveCheckpoint" | "emit"> & {
  readonly emit: (event: UnindexedEvent) => void;
  /** Saves the state before a step that costs or does something, so that the step before it is not repeated on resume. */
  readonly saveCheckpoint?: (state: ExecutionState) => Promise<void>;
};

/**
 * Executes the run of an agent, a team or a workflow from its beginning, or from a yielded, saved or paused
 * state, until it ends or is asked to yield.
 */
export async function executeRunnable(
  runnable: Runnable,
  request: RunRequest,
  ports: ExecutionPorts,
  from?: ExecutionState,
): Promise<RunOutcome | Suspended> {
  if (runnable.kind === "workflow") {
    const { executeWorkflow } = await import("../workflow/execute-workflow.ts");
    const { nestedExecutor } = await import("../workflow/steps/nested-executor.ts");
    const own = withOwnInputs(runnable, request);
    const sessionState = ports.sessionState ?? openSessionState({ base: own.session_state }, runnable);
    const outcome = await traceRun(runnable, own, { ...ports, sessionState }, (traced) => {
      const execute = nestedExecutor(own, traced);
      return executeWorkflow(runnable, own, { ...traced, execute }, workflowState(from));
    });
    return asRun(outcome, request);
  }
  return executeSlice(runnable, request, ports, runState(from));
}

const isOfWorkflow = (state: ExecutionState): state is WorkflowState => "kind" in state;

function workflowState(state: ExecutionState | undefined): WorkflowState | undefined {
  if (state === undefined || isOfWorkflow(state)) return state;
  throw new Error("a workflow cannot resume the state of a conversation");
}

function runState(state: ExecutionState | undefined): RunState | undefined {
  if (state === undefined || !isOfWorkflow(state)) return state;
  throw new Error("an agent or a team cannot resume the state of a workflow");
}

/** A workflow's outcome, with its input in the form in which all runs are stored. */
function asRun(outcome: WorkflowOutcome, { input, media }: RunRequest): RunOutcome | Suspended {
  if (outcome.status === "YIELDED") return outcome;
  const output = { ...outcome.output, input: { input_content: input, ...media } };
  switch (outcome.status) {
    case "COMPLETED":
    case "CANCELLED":
      return { status: outcome.status, output };
    case "PAUSED":
      return { status: "PAUSED", output, digests: digestsOf(outcome.state), state: outcome.state };
    case "ERROR":
      return { ...outcome, output };
  }
}

/** The digests of every waiting call in the runs of steps. */
const digestsOf = ({ nested }: WorkflowState): Record<string, string> =>
  Object.fromEntries(
    Object.values(nested).flatMap(({ run_id, digests = {} }) =>
      Object.entries(digests).map(([key, digest]) => [keyAround(run_id, key), digest]),
    ),
  );
