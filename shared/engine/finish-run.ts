import type { RunOutput } from "../schemas/run.ts";
import type { AgentEventBody } from "../schemas/run-event.ts";
import type { Execution } from "./execution.ts";
import { secondsBetween } from "./metrics.ts";
import type { RunFault } from "./model-fault.ts";
import { requirementsOf } from "./requirements-of.ts";
import { runOutput } from "./run-output.ts";
import type { RunOutcome, RunStopped } from "./run-request.ts";
import type { RunState } from "./run-state.ts";
import { stampApproval } from "./stamp-approval.ts";
import type { Ending } from "./take-step.ts";
import { digestsOf } from "./tool-digest.ts";

/**
 * Sends the last events of an execution and says how it ended.
 *
 * @throws RunStopped when the run was lost: nothing more may be written then
 * @source contract, runs-and-queue 5.5
 */
export function finishRun(ending: Ending, state: RunState, execution: Execution): RunOutcome {
  switch (ending.kind) {
    case "answered":
      return complete(state, execution);
    case "paused":
      return pause(state, execution);
    case "failed":
      return fail(ending.fault, state, execution);
    case "stopped":
      return stop(ending.reason, state, execution);
  }
}

function complete(state: RunState, execution: Execution): RunOutcome {
  const output = runOutput(state, { status: "COMPLETED", content: state.content }, execution);
  execution.emit({ event: "RunContentCompleted" });
  execution.emit(runCompleted(output, state.content));
  return { status: "COMPLETED", output };
}

function pause(state: RunState, execution: Execution): RunOutcome {
  const asked = stampApproval(state, execution.ports.newId);
  const requirements = requirementsOf(asked, execution.ports);
  const tools = requirements.map(({ tool_execution }) => tool_execution.tool_name);
  const content = `Waiting for confirmation of ${tools.join(", ")}.`;
  const output = runOutput(asked, { status: "PAUSED", content, requirements }, execution);
  execution.emit({ event: "RunContentCompleted" });
  execution.emit({ event: "RunPaused", content, tools: [...asked.tools], requirements });
  return { status: "PAUSED", output, digests: digestsOf(asked.tools, execution.agent) };
}

function stop(reason: RunStopped, state: RunState, execution: Execution): RunOutcome {
  switch (reason.kind) {
    case "cancelled":
      return cancel(reason, state, execution);
    case "timeout": {
      const seconds = secondsBetween(state.started_at_ms, execution.ports.clock.now());
      const text = `The run reached its execution timeout after ${seconds} s.`;
      return fail({ cause: "timeout", text, thrown: reason }, state, execution);
    }
    case "lost":
      throw reason;
  }
}

function cancel(reason: RunStopped, state: RunState, execution: Execution): RunOutcome {
  const content = state.content === "" ? reason.message : state.content;
  const output = runOutput(state, { status: "CANCELLED", content }, execution);
  execution.emit({ event: "RunCancelled", content, reason: reason.message });
  execution.emit(runCompleted(output, content));
  return { status: "CANCELLED", output };
}

function fail({ cause, text, thrown }: RunFault, state: RunState, execution: Execution): RunOutcome {
  const output = runOutput(state, { status: "ERROR", content: text }, execution);
  execution.emit({ event: "RunError", content: text, error_type: cause });
  return { status: "ERROR", output, error: text, cause, thrown };
}

function runCompleted(output: RunOutput, content: string): AgentEventBody {
  const { reasoning_content, metadata, metrics, session_state } = output;
  return {
    event: "RunCompleted",
    content,
    content_type: "str",
    ...(reasoning_content !== undefined && { reasoning_content }),
    ...(metadata && { metadata }),
    ...(metrics && { metrics }),
    ...(session_state && { session_state }),
  };
}
