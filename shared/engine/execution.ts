import { epochSeconds } from "../runtime/clock.ts";
import type { AgentEventBody } from "../schemas/run-event.ts";
import type { Agent } from "./agent.ts";
import { type AnswerShape, answerShapeOf } from "./answer-shape.ts";
import type { ModelView } from "./models.ts";
import type { EnginePorts, RunRequest } from "./run-request.ts";
import type { RunState } from "./run-state.ts";
import { openSessionState, type SessionState } from "./session-state.ts";
import type { Tool } from "./tool.ts";

/** What stays the same from the first step of an execution to its last. */
export type Execution = {
  readonly agent: Agent;
  /** The agent's own tools and those of its sources. */
  readonly tools: readonly Tool[];
  /** Given when the answer must be of a shape. */
  readonly answer: AnswerShape | undefined;
  readonly request: RunRequest;
  readonly ports: EnginePorts;
  /** The model as the wire shows it. */
  readonly model: ModelView;
  readonly sessionState: SessionState;
  /** Sends an event with the fields that every event of this run carries. */
  readonly emit: (body: AgentEventBody) => void;
};

/**
 * @param begin.from   the state in which the run goes on; absent for one that begins
 * @param begin.tools  see `toolsOf`; the agent's own where it has no others
 */
export function openExecution(
  agent: Agent,
  request: RunRequest,
  ports: EnginePorts,
  { from, tools = agent.tools }: { from?: RunState | undefined; tools?: readonly Tool[] } = {},
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
    tools,
    answer: answerShapeOf(agent, request),
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
