import { executeSlice } from "../../loop/execute-slice.ts";
import type { Exchange } from "../../ports/engine-ports.ts";
import type { Inbox } from "../../ports/inbox-port.ts";
import type { SlicePorts } from "../../run/execution.ts";
import { type RunOutcome, withOrigin } from "../../run/run-outcome.ts";
import type { RunRequest } from "../../run/run-request.ts";
import type { RunState } from "../../run/run-state.ts";
import { transcript } from "../../run/transcript.ts";
import type { NestedRun } from "../../run/workflow-state.ts";
import type { NestedOutcome, NestedTask, WorkflowPorts } from "../scope.ts";

/**
 * Executes the runs of the agents and teams of a workflow's steps, with the user, session, other inputs and ports of the
 * workflow's own run.
 *
 * @param request  the workflow's
 */
export function nestedExecutor(
  request: RunRequest,
  ports: Omit<SlicePorts, "saveCheckpoint" | "emit">,
): WorkflowPorts["execute"] {
  let id: string | undefined;
  // One approval for each pause of the workflow, however many of its steps wait for it.
  const approvalId = () => (id ??= ports.newId());
  return async (task) => {
    const { executor, run, continues, sessionState, emit, saveCheckpoint, span } = task;
    const outcome = await executeSlice(
      executor,
      await requestOf(task, request, ports),
      // `continues` is the step's: other steps of a continued workflow have not been answered.
      {
        ...ports,
        ...(ports.inbox && { inbox: inboxOf(ports.inbox, task.within.step_id) }),
        ...{ sessionState, emit, continues, saveCheckpoint, approvalId },
        ...(span && { span }),
      },
      stateOf(run),
    );
    if (outcome.status === "YIELDED") return outcome;
    return nestedOutcome(run.output ? withOrigin(run.output, outcome) : outcome);
  };
}

/** The messages that are for a step, and those for whichever is under way. */
const inboxOf = (inbox: Inbox, step_id: string | undefined): Inbox => ({
  ...inbox,
  take: (reader) => inbox.take(reader ?? { step_id }),
});

/** The engine wrote it, and no other kind of state is ever nested. */
const stateOf = ({ state }: NestedRun): RunState | undefined => state as RunState | undefined;

async function requestOf(
  { executor, run, within, sessionState, history_runs }: NestedTask,
  request: RunRequest,
  { readMemberHistory, readExchanges }: Pick<SlicePorts, "readMemberHistory" | "readExchanges">,
): Promise<RunRequest> {
  const { history: _h, session_summary: _s, parent_run_id: _p, output_schema: _o, ...shared } = request;
  const reads = run.state === undefined && executor.add_history_to_context;
  const [history, earlier] = await Promise.all([
    reads ? readMemberHistory?.(executor) : [],
    run.state === undefined && history_runs > 0 ? readExchanges?.(history_runs) : [],
  ]);
  return {
    ...shared,
    run_id: run.run_id,
    parent_run_id: request.run_id,
    input: run.input,
    history: history ?? [],
    ...(earlier && earlier.length > 0 && { briefing: textOf(earlier) }),
    session_state: sessionState.current(),
    created_at: run.created_at,
    nested: within,
  };
}

const textOf = (earlier: readonly Exchange[]): string =>
  `Earlier runs of this workflow:\n${transcript(
    earlier.flatMap(({ input, content }) => [
      { role: "user" as const, content: input },
      { role: "assistant" as const, content },
    ]),
  )}`;

function nestedOutcome(outcome: RunOutcome): NestedOutcome {
  const { output } = outcome;
  switch (outcome.status) {
    case "COMPLETED":
    case "CANCELLED":
      return { status: outcome.status, output };
    case "ERROR": {
      const { error, cause, mayPass = false } = outcome;
      return { status: "ERROR", output, error, cause, mayPass };
    }
    case "PAUSED":
      return { status: "PAUSED", output, digests: outcome.digests };
  }
}
