import type { Requirement, RunOutput } from "../schemas/run.ts";
import type { Execution } from "./execution.ts";
import { runMetrics } from "./metrics.ts";
import type { RunState } from "./run-state.ts";

type Ended = Pick<RunOutput, "status" | "content"> & { readonly requirements?: Requirement[] };

/** The run as it is stored and shown. @source contract, runs-and-queue 4.2 */
export function runOutput(state: RunState, ended: Ended, execution: Execution): RunOutput {
  const { agent, request, ports, model } = execution;
  const { run_id, session_id, user_id, metadata, session_state, created_at, input, media } = request;
  return {
    run_id,
    agent_id: agent.id,
    agent_name: agent.name,
    session_id,
    ...(user_id !== null && { user_id }),
    input: { input_content: input, ...media },
    content_type: "str",
    ...(state.reasoning_content !== "" && { reasoning_content: state.reasoning_content }),
    model: model.id,
    model_provider: model.provider,
    messages: [...state.messages],
    metrics: runMetrics(state, model, ports.clock.now()),
    tools: [...state.tools],
    ...(metadata && { metadata }),
    session_state,
    created_at,
    ...ended,
  };
}
