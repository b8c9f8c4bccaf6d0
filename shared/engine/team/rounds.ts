import type { RunFault } from "../model/model-fault.ts";
import { isCorrection } from "../model/streamed-answer.ts";
import type { Execution } from "../run/execution.ts";
import { nextStep, pendingCalls } from "../run/next-step.ts";
import { newMessage, type RunState, runsOfCall } from "../run/run-state.ts";
import { newToolCall } from "../tool/new-tool-call.ts";
import { BROADCAST_TOOL } from "./delegate-tools.ts";
import { noTasks, taskSummary } from "./tasks.ts";
import { contentText } from "./team-tool.ts";

/** How the leader's model is called; a fault where it may not be called any more. */
type Round = { readonly state: RunState; readonly execution: Execution } | { readonly fault: RunFault };

/**
 * Begins a round of a team in mode `tasks`: one turn of its leader with all its calls. Other runs are returned
 * unchanged.
 *
 *   round 1 … max_iterations   unchanged
 *   one more                   without tools, so that the leader has to answer with what there is
 *   after that                 the run fails
 */
export function beginRound(state: RunState, execution: Execution): Round {
  const { agent, emit } = execution;
  const { tasks = noTasks } = state;
  if (agent.kind !== "team" || agent.mode !== "tasks" || tasks.iterating) return { state, execution };
  const { max_iterations } = agent;
  if (tasks.iteration > max_iterations) return { fault: exhausted(max_iterations) };
  const iteration = tasks.iteration + 1;
  const isFinal = iteration > max_iterations;
  const begun = { ...state, tasks: { ...tasks, iteration, iterating: !isFinal } };
  if (isFinal) return { state: begun, execution: withinRound(begun, execution) };
  emit({ event: "TaskIterationStarted", iteration, max_iterations });
  return { state: begun, execution };
}

/** In its last turn the leader has no tools, so it has to answer. */
export function withinRound({ tasks }: RunState, execution: Execution): Execution {
  const { agent } = execution;
  if (agent.kind !== "team" || !tasks || tasks.iteration <= agent.max_iterations) return execution;
  return { ...execution, tools: [] };
}

/** Ends the current round; does nothing where there is none. */
export function endRound(state: RunState, { agent, emit }: Execution): RunState {
  const { tasks } = state;
  if (agent.kind !== "team" || !tasks?.iterating) return state;
  const { iteration } = tasks;
  emit({
    event: "TaskIterationCompleted",
    iteration,
    max_iterations: agent.max_iterations,
    task_summary: taskSummary(tasks),
  });
  return { ...state, tasks: { ...tasks, iterating: false } };
}

const exhausted = (max_iterations: number): RunFault => ({
  cause: "model",
  text: `The team has not reached its goal in ${max_iterations} rounds, and its leader would not answer without.`,
  thrown: undefined,
});

/**
 * Gives the user's message to every member before the first model call, as if the leader had called the tool.
 *
 * @returns undefined where the leader's model is to be called
 * @decided No model call for what is already decided: in a team that broadcasts, every member gets the task.
 */
export function openBroadcast(state: RunState, { agent, ports, request }: Execution): RunState | undefined {
  if (agent.kind !== "team" || agent.mode !== "broadcast" || agent.members.length === 0) return undefined;
  const last = state.messages.at(-1);
  if (last?.role !== "user" || isCorrection(last.content ?? "")) return undefined;
  const task = last.content ?? request.input;
  const id = `broadcast-${state.tools.length + 1}`;
  const call = {
    id,
    type: "function" as const,
    function: { name: BROADCAST_TOOL, arguments: JSON.stringify({ task }) },
  };
  return {
    ...state,
    messages: [...state.messages, newMessage({ role: "assistant", tool_calls: [call] }, ports)],
    tools: [
      ...state.tools,
      newToolCall({ tool_call_id: id, tool_name: BROADCAST_TOOL, tool_args: { task } }, ports),
    ],
  };
}

/**
 * The fault that ends a team's run because its members failed: a team that routes has no answer but theirs, and where
 * all of a broadcast fail there is nothing to answer from. Elsewhere the leader sees the failure and may react.
 *
 * @param before  the state before the batch of calls
 */
export function delegationFault(
  before: RunState,
  after: RunState,
  { agent, ports }: Execution,
): RunFault | undefined {
  if (agent.kind !== "team" || !["route", "broadcast"].includes(agent.mode)) return undefined;
  if (ports.signal.aborted || nextStep(after) !== "call_model") return undefined;
  const completed = new Set(pendingCalls(before).map(({ tool_call_id }) => tool_call_id));
  const failed = after.tools
    .filter(({ tool_call_id, tool_call_error }) => completed.has(tool_call_id) && tool_call_error === true)
    .flatMap((call) => runsOfCall(after, call));
  if (failed.length === 0) return undefined;
  return {
    cause: failed.find(({ cause }) => cause !== undefined)?.cause ?? "model",
    text: failed.map(({ output }) => contentText(output?.content)).join("\n"),
    thrown: undefined,
  };
}
