import { epochSeconds } from "../runtime/clock.ts";
import type { AgentEventBody, RunEvent, TeamTaskEventBody } from "../schemas/runs/run-event.ts";
import { type AnswerShape, answerShapeOf } from "./answer-shape.ts";
import type { ModelView } from "./models.ts";
import { namedApart } from "./named-apart.ts";
import type { RunRequest } from "./run-request.ts";
import type { RunState } from "./run-state.ts";
import { openSessionState, type SessionState } from "./session-state.ts";
import type { SlicePorts } from "./slice-ports.ts";
import type { Member } from "./team.ts";
import type { Tool } from "./tool.ts";

/** What stays the same from the first step of an execution to its last. */
export type Execution = {
  /** The agent, or the leader of the team. */
  readonly agent: Member;
  /** Its own tools, those of its sources, and what a leader leads with. */
  readonly tools: readonly Tool[];
  /** Given when the answer must be of a shape. */
  readonly answer: AnswerShape | undefined;
  readonly request: RunRequest;
  readonly ports: SlicePorts;
  /** The model as the wire shows it. */
  readonly model: ModelView;
  readonly sessionState: SessionState;
  /** Sends an event with the fields that every event of this run carries; of a team, under the name of its twin. */
  readonly emit: (body: AgentEventBody | TeamTaskEventBody) => void;
};

/**
 * @param begin.from   the state in which the run goes on; absent for one that begins
 * @param begin.tools  see `toolsOf`; the agent's own where it has no others
 */
export function openExecution(
  agent: Member,
  request: RunRequest,
  ports: SlicePorts,
  { from, tools = agent.tools }: { from?: RunState | undefined; tools?: readonly Tool[] } = {},
): Execution {
  const base = eventBase(agent, request);
  return {
    agent,
    tools,
    answer: answerShapeOf(agent, request),
    request,
    ports: namedApart(ports, request),
    model: ports.models.describe(agent.model),
    sessionState: ports.sessionState ?? openSessionState(from?.session_state ?? request.session_state),
    emit: (body) => {
      const { event, ...fields } = agent.kind === "team" ? twinOf(body) : body;
      // The compiler does not follow a union through rest and spread; the fields are the body's own.
      ports.emit({ created_at: epochSeconds(ports.clock), event, ...base, ...fields } as RunEvent);
    },
  };
}

function eventBase({ kind, id, name }: Member, { run_id, session_id, parent_run_id, nested }: RunRequest) {
  return {
    ...(kind === "team" ? { team_id: id, team_name: name } : { agent_id: id, agent_name: name }),
    run_id,
    session_id,
    ...(parent_run_id !== undefined && { parent_run_id }),
    nested_depth: 0,
    ...nested,
  };
}

/** @source contract, runs-and-queue 5.3: a team's events have a prefix, and none of them speaks for a workflow */
function twinOf(body: AgentEventBody | TeamTaskEventBody) {
  const event = `Team${body.event}`;
  if (body.event !== "RunContent") return { ...body, event };
  const { workflow_agent: _, ...fields } = body;
  return { ...fields, event };
}
