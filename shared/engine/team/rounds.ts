import type { RunFault } from "../model/model-fault.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { noTasks, taskSummary } from "./tasks.ts";

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
