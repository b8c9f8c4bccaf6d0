import { type ContinueFrom, messageCut, wholePart } from "../../domain/runs/message-cut.ts";
import { ServiceError } from "../../errors.ts";
import type { Message, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import { type StoredApproval, wireApproval } from "../../stores/approvals/approval-item.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { Member } from "../define/team.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import { awaitsPerson } from "../run/next-step.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import { contentOf, stateFromRun } from "../run/state-from-run.ts";
import { applyApproval, requireAnswers } from "./apply-answers.ts";
import { approvalOfAnswer, callKey, type PlacedCall, placedCalls, withPlacedCalls } from "./approval-of.ts";
import type { ContinueRequest } from "./continuation-of.ts";
import { answersIn, enterAnswers, type PlacedAnswer } from "./enter-answers.ts";
import { toolDigest } from "./tool-digest.ts";

/** A run to be continued: the state to execute, and the record as clients see it until then. */
export type ContinuedRun = { readonly state: RunState; readonly output: RunOutput };

/** The same, and the records of audited answers. */
export type AnsweredRun = ContinuedRun & { readonly recorded: readonly StoredApproval[] };

/** Who answers, and when in epoch seconds. */
export type Answerer = { readonly resolved_by: string | null; readonly now: number };

/** How answers are entered. */
export type Answering = Pick<EnginePorts, "clock" | "newId"> & {
  /** Set for a run that is pinned to its own version of the code: its tools may differ from those here. */
  readonly resumesElsewhere?: boolean;
};

/**
 * A paused run with its answers entered. The digest of every call must be what it was at the pause; whoever executes the
 * run sees to that where `how.resumesElsewhere` says that it is other code than this.
 *
 * @param approvals  those that the run's calls name
 * @param field      of the form, in which the answers are given; a refusal names it
 * @throws ServiceError BAD_REQUEST or CONFLICT; see `applyAnswers` and `applyApproval`
 */
export function answerRun(
  run: StoredRun,
  asked: ContinueRequest,
  approvals: readonly StoredApproval[],
  runnable: Member,
  who: Answerer,
  how: Answering,
  field = runnable.kind === "team" ? "requirements" : "tools",
): AnsweredRun {
  if (asked.continue_from !== "end") {
    throw new ServiceError("BAD_REQUEST", "a paused run is continued from its end; use fork=true to go back");
  }
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  const waiting = placedCalls(run.output).map((placed) => ({ ...placed, agent: callerOf(placed, runnable) }));
  if (!how.resumesElsewhere) refuseChangedTools(run, waiting);
  const answers = answersIn(asked, run.output);
  const refusals = refusalsIn(answers);
  const agentOf = (one: { readonly agent: Member }) => (how.resumesElsewhere ? undefined : one.agent);
  const decided = waiting.map((one) => ({
    ...one,
    call: applyApproval(one.call, byId, agentOf(one), one.key, refusals.get(one.key)),
  }));
  const answered = enterAnswers(decided, answers);
  requireAnswers(
    answered.map(({ call }) => call),
    field,
  );
  const wasWaiting = new Set(waiting.filter(({ call }) => awaitsPerson(call)).map(({ key }) => key));
  const calls = answered.map((one) =>
    one.call.approval_type === "audit" && wasWaiting.has(one.key)
      ? { ...one, call: { ...one.call, approval_id: how.newId() } }
      : one,
  );
  const output = answeredOutput(run.output, calls, approvals);
  const state = stateFromRun(output, output.tools ?? [], how.clock.now());
  return {
    state: withInput(state, asked.input, how),
    output,
    recorded: audited({ ...run, output }, calls, wasWaiting, who),
  };
}

/** The calls to which the request says no, which counts although they were approved. */
const refusalsIn = (answers: readonly PlacedAnswer[]): ReadonlyMap<string, PlacedAnswer> =>
  new Map(
    answers
      .filter(({ confirmed }) => confirmed === false)
      .map((answer) => [callKey(answer.tool_call_id, answer.member_run_id), answer]),
  );

/** One record for each audited call that was answered now. */
function audited(
  run: StoredRun,
  calls: readonly PlacedCall[],
  answered: ReadonlySet<string>,
  who: Answerer,
): StoredApproval[] {
  return calls.flatMap((placed) => {
    const { approval_type, approval_id: id } = placed.call;
    if (approval_type !== "audit" || id === null || !answered.has(placed.key)) return [];
    return [approvalOfAnswer(run, placed, { id, ...who })];
  });
}

/** The agent or team that made a call. @throws ServiceError CONFLICT when it is no longer a member of its team */
function callerOf({ members }: PlacedCall, runnable: Member): Member {
  return members.reduce((team, id) => {
    const member = team.kind === "team" ? team.members.find((one) => one.id === id) : undefined;
    if (!member)
      throw new ServiceError("CONFLICT", `${id} is no member of ${team.id} any more; cancel the run`);
    return member;
  }, runnable);
}

function refuseChangedTools(run: StoredRun, waiting: readonly (PlacedCall & { agent: Member })[]): void {
  for (const { call, key, agent } of waiting.filter((one) => awaitsPerson(one.call))) {
    const shown = ownMember(run.digests ?? {}, key);
    if (shown === undefined || shown === toolDigest(call, agent)) continue;
    throw new ServiceError(
      "CONFLICT",
      `the tool ${call.tool_name} has changed since the run paused before it; cancel the run and start it anew`,
    );
  }
}

function answeredOutput(
  output: RunOutput,
  calls: readonly PlacedCall[],
  approvals: readonly StoredApproval[],
): RunOutput {
  const answered = withPlacedCalls(output, new Map(calls.map(({ key, call }) => [key, call])));
  const newest = approvals.reduce<StoredApproval | undefined>(
    (last, one) => (last && last.created_at > one.created_at ? last : one),
    undefined,
  );
  return {
    ...answered,
    ...(newest && { metadata: { ...output.metadata, approval: wireApproval(newest) } }),
  };
}

/** The state with a further user message; results of pending calls are still inserted before it. */
export function withInput(
  state: RunState,
  input: string | undefined,
  ports: Pick<EnginePorts, "clock" | "newId">,
): RunState {
  if (input === undefined) return state;
  const messages = [...state.messages, newMessage({ role: "user", content: input }, ports)];
  return { ...state, messages, content: contentOf(messages) };
}

/** The state cut back to its first messages. @throws ServiceError BAD_REQUEST when no message is left to answer */
export function cutState(state: RunState, from: ContinueFrom): RunState {
  const messages = wholePart(state.messages, messageCut(state.messages, from));
  const tools = toolsIn(messages, state.tools);
  const { members: _m, tasks: _t, owes_continued: _o, ...rest } = state;
  const members = membersOf(tools, state);
  return { ...rest, messages, tools, content: contentOf(messages), ...(members && { members }) };
}

/** Members' runs stay or go with the calls that began them. The task list belongs to one answer, so it is dropped. */
const membersOf = (tools: readonly ToolExecution[], { members }: RunState) =>
  members?.filter((run) => tools.some(({ tool_call_id }) => tool_call_id === run.tool_call_id));

function toolsIn(messages: readonly Message[], tools: readonly ToolExecution[]): ToolExecution[] {
  const answered = new Set(messages.map(({ tool_call_id }) => tool_call_id));
  return tools.filter(({ tool_call_id }) => answered.has(tool_call_id));
}
