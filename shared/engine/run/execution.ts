import { epochSeconds } from "../../runtime/clock.ts";
import type { AgentEventBody, RunEvent, TeamTaskEventBody } from "../../schemas/runs/run-event.ts";
import { type AnswerShape, answerShapeOf } from "../define/answer-shape.ts";
import type { Member } from "../define/team.ts";
import type { ModelView } from "../model/models.ts";
import { openSessionState, type SessionState } from "../ports/session-state.ts";
import type { Tool } from "../tool/tool.ts";
import type { RunOutcome } from "./run-outcome.ts";
import type { RunRequest } from "./run-request.ts";
import type { RunState } from "./run-state.ts";
import type { SlicePorts } from "./slice-ports.ts";
import { withOwnKeys } from "./with-own-keys.ts";
import type { Yielded } from "./yielded.ts";

/**
 * Executes a run, from its beginning or from a state in which it was suspended or paused, until it ends or yields.
 *
 * @param from  the state that the slice before this one yielded; of a paused run, with the answers in its `tools`
 */
export type ExecuteSlice = (
  runnable: Member,
  request: RunRequest,
  ports: SlicePorts,
  from?: RunState,
) => Promise<RunOutcome | Yielded>;

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
  /** Executes the run of a member; the loop of this execution, so that a team works as deep as it is declared. */
  readonly executeSlice: ExecuteSlice;
  /** Sends an event with the fields that every event of this run carries; of a team, under the name of its twin. */
  readonly emit: (body: AgentEventBody | TeamTaskEventBody) => void;
};

type Begin = Pick<Execution, "executeSlice"> & {
  readonly from?: RunState | undefined;
  readonly tools?: readonly Tool[];
};

/**
 * @param begin.from   the state in which the run goes on; absent for one that begins
 * @param begin.tools  see `toolsOf`; the agent's own where it has no others
 */
export function openExecution(
  agent: Member,
  request: RunRequest,
  ports: SlicePorts,
  { executeSlice, from, tools = agent.tools }: Begin,
): Execution {
  const base = eventBase(agent, request);
  return {
    agent,
    tools,
    executeSlice,
    answer: answerShapeOf(agent, request),
    request,
    ports: withOwnKeys(ports, request),
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
