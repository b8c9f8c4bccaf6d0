import { epochSeconds } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { AgentEventBody, RunEvent, TeamTaskEventBody } from "../../schemas/runs/run-event.ts";
import { withOwnInputs } from "../define/agent.ts";
import { type AnswerShape, answerShapeOf } from "../define/answer-shape.ts";
import type { PostHook, PreHook } from "../define/hook.ts";
import { modelViewOf } from "../define/remote-agent.ts";
import type { Member } from "../define/team.ts";
import type { ModelView } from "../model/models.ts";
import type { DailyBudget } from "../ports/budget-port.ts";
import type { Author, EnginePorts, ToolLedger } from "../ports/engine-ports.ts";
import { openSessionState, type SessionState, type StateView } from "../ports/session-state.ts";
import type { RunContext, Tool } from "../tool/tool.ts";
import type { RunOutcome } from "./run-outcome.ts";
import type { RunRequest } from "./run-request.ts";
import type { RunState } from "./run-state.ts";

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
  /** Specification of the model that is asked; the platform's `MODEL` when undefined. */
  readonly spec: string | undefined;
  /** That model as the wire shows it. */
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
    spec: agent.model,
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
  // It has one name, whoever emits it.
  if (body.event === "CustomEvent") return body;
  const event = `Team${body.event}`;
  if (body.event !== "RunContent") return { ...body, event };
  const { workflow_agent: _, ...fields } = body;
  return { ...fields, event };
}

/**
 * The ports of a run that is part of another. Both use one ledger and one budget, and models may give the same ids to
 * the calls of both, so the keys of this run are prefixed with its id.
 */
function withOwnKeys(ports: SlicePorts, { run_id, parent_run_id }: RunRequest): SlicePorts {
  if (parent_run_id === undefined) return ports;
  const { ledger, dailyBudget } = ports;
  return {
    ...ports,
    ...(ledger && { ledger: ledgerOf(run_id, ledger) }),
    ...(dailyBudget && { dailyBudget: budgetOf(run_id, dailyBudget) }),
  };
}

const ledgerOf = (run_id: string, ledger: ToolLedger): ToolLedger => ({
  start: (call) => ledger.start(`${run_id}/${call}`),
  startAgain: (call, starts) => ledger.startAgain(`${run_id}/${call}`, starts),
  end: (call, answer) => ledger.end(`${run_id}/${call}`, answer),
});

const budgetOf = (run_id: string, { reserve, ...rest }: DailyBudget): DailyBudget => ({
  ...rest,
  reserve: (call, atMost, raised) => reserve(`${run_id}/${call}`, atMost, raised),
});

/** The engine's ports, and what a slice of a run needs to yield and to resume in any process. */
export type SlicePorts = EnginePorts & {
  /**
   * Called after every step; true ends the slice. A slice takes at least one step.
   *
   * @param isOnlyToEnd  whether the run calls neither a model nor a tool any more before it ends or pauses
   */
  readonly shouldYield?: (isOnlyToEnd?: boolean) => boolean;
  /**
   * Ends the slice, to go on at an instant in epoch milliseconds at the earliest; absent where the run cannot wait so long.
   * `shouldYield` is true after it.
   */
  readonly postpone?: (untilMs: number) => void;
  /** Set when a paused run was continued: it emits `RunContinued` instead of `RunStarted`. */
  readonly continues?: boolean;
  /** Saves the state before a step that costs money or has effects, so that a resumed run does not repeat the last. */
  readonly saveCheckpoint?: (state: RunState) => Promise<void>;
  /** The session's state, which the runs within a run share. Absent: the request's, of which nothing is kept. */
  readonly sessionState?: SessionState;
  /** Of the teams around a member's run: what people say in it, and what it answers, passes their guards too. */
  readonly guardsAround?: {
    readonly pre: readonly PreHook[];
    readonly post: readonly PostHook[];
    /** Whether one of those with guards of the output holds the stream back, and keeps what is withheld. */
    readonly holdsStream: boolean;
    readonly keepsWithheld: boolean;
  };
  /** The id of the approval that the outermost run pauses for; absent in the outermost run itself. */
  readonly approvalId?: () => string;
};

/** A run that is not over: its whole state after the last step. */
export type Yielded = { readonly status: "YIELDED"; readonly state: RunState };

export const authorOf = ({ kind, id }: Member): Author => ({
  agent_id: kind === "agent" ? id : null,
  team_id: kind === "team" ? id : null,
});

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

/** Values of secrets, by name. */
export type SecretValues = Readonly<Record<string, string>>;

/**
 * The secrets that a tool or a source of tools declares. Why one cannot be read is for the operator, in the log.
 *
 * @throws Error with a text for the model when one cannot be read
 */
export async function secretsFor(
  { name, secrets = [] }: { readonly name: string; readonly secrets?: readonly string[] },
  { toolSecrets, warn }: Pick<EnginePorts, "toolSecrets" | "warn">,
): Promise<SecretValues> {
  if (secrets.length === 0) return {};
  if (!toolSecrets) throw new Error(`The secret ${secrets[0]} could not be read.`);
  try {
    return await toolSecrets.read(secrets);
  } catch (error) {
    warn?.("a secret of a tool could not be read", { tool_name: name, error });
    throw error;
  }
}

/** Something without the values of secrets, which may be in what a tool gives back: it is stored, sent and shown. */
export const withoutSecrets = <T>(value: T, { toolSecrets }: Pick<EnginePorts, "toolSecrets">): T =>
  toolSecrets ? toolSecrets.redact(value) : value;

/** A change of the session's state by a tool: it is stored, and shown to users. */
export const guardedUpdate =
  (update: StateView["update"], ports: Pick<EnginePorts, "toolSecrets">): StateView["update"] =>
  (changes) =>
    update(withoutSecrets(changes, ports));

/** The log of a tool: each line has these ids, and no value of a secret. */
export function toolLog(
  ids: Readonly<Record<string, unknown>>,
  ports: Pick<EnginePorts, "toolLog" | "toolSecrets">,
): Log {
  const write =
    (level: keyof Log): Log[keyof Log] =>
    (message, fields = {}) =>
      ports.toolLog?.[level](withoutSecrets(message, ports), {
        ...withoutSecrets(plain(fields), ports),
        ...ids,
      });
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

/** An error is logged by its text: its class and what hangs on it may hold anything. */
const plain = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? String(value) : value]),
  );
