import { epochSeconds } from "../../runtime/clock.ts";
import type { AgentEventBody, RunEvent, TeamTaskEventBody } from "../../schemas/runs/run-event.ts";
import { type AnswerShape, answerShapeOf } from "../define/answer-shape.ts";
import { withOwnInputs } from "../define/own-inputs.ts";
import { modelViewOf } from "../define/remote-agent.ts";
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
 * @param from  the state that the previous slice yielded; for a paused run, with people's answers in its `tools`
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
  /** Its own tools, those of its tool sources, and a leader's tools for delegation. */
  readonly tools: readonly Tool[];
  /** Set when the answer must have a given shape. */
  readonly answer: AnswerShape | undefined;
  readonly request: RunRequest;
  readonly ports: SlicePorts;
  /** The model as the wire shows it. */
  readonly model: ModelView;
  readonly sessionState: SessionState;
  /** Executes a member's run in the same loop as this run, so that teams may be nested. */
  readonly executeSlice: ExecuteSlice;
  /** Emits an event with the fields that all events of this run have; for a team, under the `Team…` name. */
  readonly emit: (body: AgentEventBody | TeamTaskEventBody) => void;
};

type OpenOptions = Pick<Execution, "executeSlice"> & {
  readonly tools?: readonly Tool[];
};

/**
 * @param options.tools  see `toolsOf`; the agent's own when absent
 */
export function openExecution(
  agent: Member,
  accepted: RunRequest,
  ports: SlicePorts,
  { executeSlice, tools = agent.tools }: OpenOptions,
): Execution {
  const request = withOwnInputs(agent, accepted);
  const base = eventBase(agent, request);
  return {
    agent,
    tools,
    executeSlice,
    answer: answerShapeOf(agent, request),
    request,
    ports: withOwnKeys(ports, request),
    model: modelViewOf(agent, ports.models),
    sessionState: (ports.sessionState ?? openSessionState({ base: request.session_state })).within(agent),
    emit: (body) => {
      const { event, ...fields } = agent.kind === "team" ? teamEvent(body) : body;
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

/** @source docs/interface/runs.md 5.3 */
function teamEvent(body: AgentEventBody | TeamTaskEventBody) {
  const event = `Team${body.event}`;
  if (body.event !== "RunContent") return { ...body, event };
  const { workflow_agent: _, ...fields } = body;
  return { ...fields, event };
}
