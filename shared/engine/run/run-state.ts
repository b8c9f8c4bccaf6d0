import type { FailureCause } from "../../domain/jobs/failure-cause.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { CacheBreak, PromptDigests } from "../../schemas/runs/prompt-cache.ts";
import type { PromptView } from "../../schemas/runs/prompt-view.ts";
import type {
  Message,
  ModelFallback,
  Requirement,
  RunOutput,
  ToolExecution,
} from "../../schemas/runs/run.ts";
import type { TeamTasks } from "../../schemas/runs/team-task.ts";
import type { RunFault } from "../model/model-fault.ts";
import type { ClosedGate } from "../model/model-gate.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";

/**
 * The whole state of a run between two steps, as one plain JSON value: any process can take the next step with it.
 * Steps return a new state and never change the one they were given.
 */
export type RunState = {
  /** The whole conversation: system, history, user, then what this run added. */
  readonly messages: readonly Message[];
  /** What the model is shown of them, where that is not everything. */
  readonly view?: PromptView;
  /** The run's tool calls in the order the model made them; `result` is null until one has run. */
  readonly tools: readonly ToolExecution[];
  /** Files from finished calls, by call id, until the message with the result holds them. */
  readonly media?: Readonly<Record<string, OutputMedia>>;
  /** Text of the run so far: the deltas of its RunContent events, joined. */
  readonly content: string;
  /** Ids of the user's messages that guards have let pass, and of those that are no person's. */
  readonly passed?: readonly string[];
  /** How many characters of the content the guards of the output have let pass. */
  readonly released?: number;
  /** Set where a guard has refused the result of a tool that was to be the answer. */
  readonly withheld?: Withheld;
  /** Whether the model was asked to correct the form of its answer; it is asked once. */
  readonly corrected?: boolean;
  /** How often the answer at the end of `messages` has broken off; the model continues it in its next call. */
  readonly broken?: number;
  /** How many model calls the run has made: their names. It only counts up, while the messages may become fewer. */
  readonly calls: number;
  /** Id of the message at which the last call's prompt ended, as far as the next one begins with the same. */
  readonly cache_to?: string;
  /** The last call's prompt, where its service caches; at first that of the session's last run. */
  readonly prompt?: PromptDigests;
  readonly cache_breaks?: readonly CacheBreak[];
  readonly reasoning_content: string;
  readonly usage: Usage;
  /** What models that stand in for the agent's own have used of it, by their specifications. */
  readonly used_by?: Readonly<Record<string, Usage>>;
  /** What the summaries of its beginning have used of it, by the specifications of their models; that of the agent's own is empty. */
  readonly folds_used?: Readonly<Record<string, Usage>>;
  /** The model that is asked in place of the agent's own, until an instant in epoch milliseconds. */
  readonly model_at?: { readonly spec: string; readonly until_ms: number };
  /** The models that have failed the call which another one makes now, and why the first one did. */
  readonly failed?: { readonly models: readonly string[]; readonly fault: RunFault };
  /** Which model was asked in place of which, so far. */
  readonly fallbacks?: readonly ModelFallback[];
  /** Why the next call waits, and until when at least; absent once a call was answered. */
  readonly postponed?: ClosedGate;
  /** For a remote agent: the message that is under way there. */
  readonly remote?: RemoteTask;
  readonly started_at_ms: number;
  readonly first_token_at_ms: number | null;
  /** For a team: its members' runs, in the order in which they started. */
  readonly members?: readonly MemberRun[];
  /** For a team in `tasks` mode. */
  readonly tasks?: TeamTasks;
  /** For a continued team: its members resume first, and its own `RunContinued` is not emitted yet. */
  readonly owes_continued?: boolean;
};

/** What a guard of the output has refused: its name, and the fault that ends the run. */
export type Withheld = { readonly hook: string; readonly fault: RunFault };

/** A message to a remote agent, from before it is sent until its task has stopped; ids are those of its protocol. */
export type RemoteTask = {
  readonly message_id: string;
  /** Which of the state's messages it consists of: from this one to the last. */
  readonly from: number;
  readonly context_id: string;
  /** Absent until the remote agent has named it; for an answer to its question, that of the task that asked. */
  readonly task_id?: string;
  /** Whether the message is known to have arrived. */
  readonly arrived: boolean;
  /** Epoch milliseconds. */
  readonly sent_at_ms: number;
  /** How many characters of the task's text earlier messages were answered with. */
  readonly answered: number;
  /** How many characters of this answer are in the run's content already. */
  readonly told: number;
};

/** The state of a run that has not taken a step yet. @param nowMs epoch milliseconds */
export function newRunState(messages: readonly Message[], nowMs: number): RunState {
  return {
    messages,
    tools: [],
    calls: 0,
    content: "",
    reasoning_content: "",
    usage: noUsage,
    started_at_ms: nowMs,
    first_token_at_ms: null,
  };
}

/** A member's run in the state of its team's run: plain JSON too. */
export type MemberRun = {
  readonly run_id: string;
  readonly member_id: string;
  /** The leader's call that started it. */
  readonly tool_call_id: string;
  readonly task: string;
  /** Epoch seconds. */
  readonly created_at: number;
  /** The state to resume from; absent before its first step, and once it has ended. */
  readonly state?: RunState;
  /** Set while it waits for a person, and once it has ended. */
  readonly output?: RunOutput;
  /** Set once it has failed. */
  readonly cause?: FailureCause;
  /** Earlier questions of this run that people have answered. */
  readonly answered?: readonly Requirement[];
  /** Whether the call's completion was already emitted, because a person had to be asked. */
  readonly told?: boolean;
};

type MessageParts = Pick<Message, "role"> & Partial<Message>;

/** A message that this run adds, with a new id and the current time. */
export function newMessage(parts: MessageParts, ports: Pick<EnginePorts, "clock" | "newId">): Message {
  return {
    id: ports.newId(),
    from_history: false,
    stop_after_tool_call: false,
    created_at: epochSeconds(ports.clock),
    ...parts,
  };
}

/** The members' runs that one of the leader's calls started. */
export const runsOfCall = (
  { members = [] }: Pick<RunState, "members">,
  { tool_call_id }: Pick<ToolExecution, "tool_call_id">,
): MemberRun[] => members.filter((run) => run.tool_call_id === tool_call_id);

export const hasEnded = ({ output }: MemberRun): boolean =>
  output !== undefined && output.status !== "PAUSED";

/** The state with a member's run added or replaced. */
export function withMemberRun(state: RunState, run: MemberRun): RunState {
  const { members = [] } = state;
  const isKnown = members.some(({ run_id }) => run_id === run.run_id);
  return {
    ...state,
    members: isKnown ? members.map((one) => (one.run_id === run.run_id ? run : one)) : [...members, run],
  };
}
