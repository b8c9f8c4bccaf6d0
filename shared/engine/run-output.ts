import type { Message, Requirement, RunOutput } from "../schemas/run.ts";
import type { Execution } from "./execution.ts";
import { type RoleUsage, runMetrics } from "./metrics.ts";
import type { RunState } from "./run-state.ts";

type Ended = Pick<RunOutput, "status" | "content" | "content_type"> & {
  readonly requirements?: Requirement[];
  readonly followups?: string[];
};

/**
 * The run as it is stored and shown.
 *
 * @param besides  what models used for the run beside its own calls
 * @source contract, runs-and-queue 4.2
 */
export function runOutput(
  state: RunState,
  ended: Ended,
  execution: Execution,
  besides: readonly RoleUsage[] = [],
): RunOutput {
  const { agent, request, ports, model, sessionState } = execution;
  const { run_id, session_id, user_id, metadata, created_at, input } = request;
  const additional_input = additionalInput(state, execution);
  return {
    run_id,
    agent_id: agent.id,
    agent_name: agent.name,
    session_id,
    ...(user_id !== null && { user_id }),
    input: { input_content: input },
    content_type: "str",
    ...(state.reasoning_content !== "" && { reasoning_content: state.reasoning_content }),
    model: model.id,
    model_provider: model.provider,
    messages: [...state.messages],
    metrics: runMetrics(state, model, ports.clock.now(), besides),
    ...(additional_input.length > 0 && { additional_input }),
    tools: [...state.tools],
    ...(metadata && { metadata }),
    session_state: { ...sessionState.current() },
    created_at,
    ...ended,
  };
}

/** They are the first messages that the run adds, after what it is told of itself. */
const additionalInput = (state: RunState, { agent }: Execution): Message[] =>
  state.messages
    .filter(({ role, from_history }) => role !== "system" && !from_history)
    .slice(0, agent.additional_input.length);
