import { type OpenCallQuestion, openCallQuestions } from "../../domain/runs/open-requirements.ts";
import type { RemoteCall } from "../../schemas/runs/remote-call.ts";
import type { Requirement, ToolExecution } from "../../schemas/runs/run.ts";
import type { Member } from "../define/team.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { awaitsPerson, pendingCalls, waitsForPerson } from "../run/next-step.ts";
import type { MemberRun, RunState } from "../run/run-state.ts";

const IN_DOUBT =
  "This call was started, and what became of it is not known: it may have happened. Confirm to run it again; reject, with what you know of its result as the note, to go on without.";

/**
 * One requirement for each tool call that waits for a person; those of a team's members as the members' runs list them.
 */
export function requirementsOf(state: RunState, agent: Member, ports: EnginePorts): Requirement[] {
  const waiting = (state.members ?? []).filter(waitsForPerson);
  return [...ownRequirements(state, ports), ...waiting.flatMap((run) => membersRequirements(run, agent))];
}

/** Names the member whose run made the call, not a team between it and the leader. */
function membersRequirements({ member_id, run_id, output }: MemberRun, agent: Member): Requirement[] {
  const member = agent.kind === "team" ? agent.members.find(({ id }) => id === member_id) : undefined;
  const caller = {
    member_agent_id: member_id,
    ...(member && { member_agent_name: member.name }),
    member_run_id: run_id,
  };
  const open = (output?.requirements ?? []).filter(({ tool_execution }) => awaitsPerson(tool_execution));
  return open.map((one) => (one.member_run_id === undefined ? { ...one, ...caller } : one));
}

function ownRequirements(state: RunState, { clock, newId }: EnginePorts): Requirement[] {
  // The wire wants microseconds and a numeric offset; the clock has milliseconds.
  const created_at = new Date(clock.now()).toISOString().replace("Z", "000+00:00");
  return pendingCalls(state)
    .filter(awaitsPerson)
    .map((call) => ({ id: newId(), created_at, tool_execution: call, ...questionFields(call) }));
}

const questionFields = (call: ToolExecution): Partial<Requirement> => ({
  ...(call.remote_call && { confirmation_note: askedBy(call.remote_call) }),
  ...(call.in_doubt !== undefined && { confirmation_note: IN_DOUBT }),
  ...(call.user_input_schema && { user_input_schema: call.user_input_schema }),
  ...(call.user_feedback_schema && { user_feedback_schema: call.user_feedback_schema }),
});

/** Who asks, and what. */
const askedBy = ({ server, message = "It waits for an answer.", url }: RemoteCall): string =>
  `${sentenceCase(server)} asks: ${message}${url === undefined ? "" : `\n${url}`}`;

const sentenceCase = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const phrases: Readonly<Record<OpenCallQuestion | "in_doubt", string>> = {
  in_doubt: "a decision whether to repeat",
  confirmation: "confirmation of",
  user_input: "input for",
  user_feedback: "answers to",
  external_execution: "the result of",
};

/**
 * A sentence for people about what a run waits for.
 *
 * @returns undefined when every waiting call is executed by the client and marked silent
 */
export function pauseHint(waiting: readonly ToolExecution[]): string | undefined {
  const shown = waiting.filter((call) => call.external_execution_silent !== true);
  const kinds = new Map<string, string[]>();
  for (const call of shown) {
    const [question = "confirmation"] = openCallQuestions(call);
    const asked = phrases[call.in_doubt === undefined ? question : "in_doubt"];
    const phrase = call.remote_call ? `what ${call.remote_call.server} asks in` : asked;
    kinds.set(phrase, [...(kinds.get(phrase) ?? []), call.tool_name]);
  }
  if (kinds.size === 0) return undefined;
  const parts = [...kinds].map(([phrase, names]) => `${phrase} ${names.join(", ")}`);
  return `Waiting for ${parts.join("; ")}.`;
}

/** Sets the id of the approval on every call of a pausing run that needs one: one approval for each pause. */
export function stampApproval(state: RunState, approvalId: () => string): RunState {
  const needsOne = (call: RunState["tools"][number]) =>
    call.approval_type === "required" && call.approval_id === null && awaitsPerson(call);
  if (!state.tools.some(needsOne)) return state;
  const approval_id = approvalId();
  return { ...state, tools: state.tools.map((call) => (needsOne(call) ? { ...call, approval_id } : call)) };
}

/** The id of a pause's approval: the one that a member's call already waits for, or a new one. */
export function oneApproval(from: RunState | undefined, newId: () => string): () => string {
  let id = from && approvalIn(from);
  return () => {
    id ??= newId();
    return id;
  };
}

function approvalIn({ tools, members = [] }: RunState): string | undefined {
  const waiting = tools.find((call) => call.approval_id !== null && awaitsPerson(call));
  if (waiting?.approval_id != null) return waiting.approval_id;
  return members.flatMap(({ state }) => (state && approvalIn(state)) ?? [])[0];
}
