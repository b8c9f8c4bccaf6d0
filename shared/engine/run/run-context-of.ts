import type { RunContext } from "../tool/run-context.ts";
import type { Execution } from "./execution.ts";

/** The context of an execution at this moment. */
export function runContextOf({ agent, request, sessionState }: Execution): RunContext {
  const { run_id, session_id, user_id, dependencies, metadata, knowledge_filters, parameters } = request;
  return {
    run_id,
    session_id,
    user_id,
    agent_id: agent.id,
    session_state: sessionState.current(),
    dependencies: dependencies ?? {},
    metadata: metadata ?? {},
    ...(knowledge_filters !== undefined && { knowledge_filters }),
    parameters: parameters ?? {},
  };
}
