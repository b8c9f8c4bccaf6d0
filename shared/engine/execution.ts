import { epochSeconds } from "../runtime/clock.ts";
import type { AgentEventBody } from "../schemas/run-event.ts";
import type { Agent } from "./agent.ts";
import type { ModelView } from "./models.ts";
import type { EnginePorts, RunRequest } from "./run-request.ts";
import type { RunState } from "./run-state.ts";
import { openSessionState, type SessionState } from "./session-state.ts";

/** What stays the same from the first step of an execution to its last. */
export type Execution = {
  readonly agent: Agent;
  readonly request: RunRequest;
  readonly ports: EnginePorts;
  /** The model as the wire shows it. */
  readonly model: ModelView;
  readonly sessionState: SessionState;
  /** Sends an event with the fields that every event of this run carries. */
  readonly emit: (body: AgentEventBody) => void;
};

/** @param from  the state in which the run goes on; absent for one that begins */
export function openExecution(
  agent: Agent,
  request: RunRequest,
  ports: EnginePorts,
  from?: RunState,
): Execution {
  const base = {
    agent_id: agent.id,
    agent_name: agent.name,
    run_id: request.run_id,
    session_id: request.session_id,
    nested_depth: 0,
  };
  return {
    agent,
    request,
    ports,
    model: ports.models.describe(agent.model),
    sessionState: openSessionState(from?.session_state ?? request.session_state),
    emit: ({ event, ...fields }) =>
      // The compiler does not follow a union through rest and spread; the fields are the body's own.
      ports.emit({ created_at: epochSeconds(ports.clock), event, ...base, ...fields } as Parameters<
        EnginePorts["emit"]
      >[0]),
  };
}
