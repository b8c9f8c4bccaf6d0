import { type ContinueFrom, messageCut, wholePart } from "../domain/message-cut.ts";
import { ServiceError } from "../errors.ts";
import type { RequirementAnswer } from "../schemas/requirement-answer.ts";
import type { Message, Requirement, RunOutput, ToolExecution } from "../schemas/run.ts";
import type { ToolAnswer } from "../schemas/tool-answer.ts";
import type { StoredApproval } from "../stores/approvals/approval-item.ts";
import { wireApproval } from "../stores/approvals/approval-item.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { applyAnswers, requireAnswers } from "./apply-answers.ts";
import { applyApproval } from "./apply-approval.ts";
import { approvalOfAnswer } from "./approval-of.ts";
import { newMessage } from "./new-message.ts";
import type { EnginePorts } from "./run-request.ts";
import { awaitsPerson, type RunState } from "./run-state.ts";
import { contentOf, stateFromRun } from "./state-from-run.ts";
import type { Member } from "./team.ts";
import { toolDigest } from "./tool-digest.ts";

/** What a client asks for that continues a run. */
export type ContinueAsked = {
  readonly tools: readonly ToolAnswer[];
  /** In place of `tools`, of a team. */
  readonly requirements?: readonly RequirementAnswer[];
  /** What it says besides. */
  readonly input: string | undefined;
  readonly continue_from: ContinueFrom;
  readonly fork: boolean;
  readonly regenerate: boolean;
  readonly replace_original: boolean;
};

/** A run as it goes on: the state that is executed, and the record as it shows until then. */
export type ContinuedRun = { readonly state: RunState; readonly output: RunOutput };

/** The same, and the answers that go on record. */
export type AnsweredRun = ContinuedRun & { readonly recorded: readonly StoredApproval[] };

/** Who answers, and when in epoch seconds. */
export type Answerer = { readonly resolved_by: string | null; readonly now: number };

/**
 * Which way a run is continued.
 *
 *   PAUSED             answered, under its own id
 *   ERROR              taken up where it stopped, under its own id
 *   COMPLETED          a new run that begins with its messages
 *   PENDING, RUNNING   not at all: somebody executes it
 *   CANCELLED          not at all
 *
 * @throws ServiceError CONFLICT for a run that cannot be continued; BAD_REQUEST for a fork of one that waits
 * @source contract, runs-and-queue section 7, "By stored run state"
 */
export function wayToContinue({ status, run_id }: StoredRun, asked: ContinueAsked): "resume" | "fork" {
  switch (status) {
    case "PENDING":
    case "RUNNING":
      throw new ServiceError("CONFLICT", `run ${run_id} is ${status}: it goes on by itself`, {
        headers: { "retry-after": "1" },
      });
    case "CANCELLED":
      throw new ServiceError("CONFLICT", `run ${run_id} was cancelled and cannot be continued`);
    case "REGENERATED":
      throw new ServiceError("CONFLICT", `run ${run_id} was replaced by another; continue that one`);
    case "COMPLETED":
      if (asked.tools.length > 0 && !asked.fork && !asked.regenerate) throw answeredBefore(run_id);
      return "fork";
    case "PAUSED":
    case "ERROR":
      return asked.fork || asked.regenerate ? "fork" : "resume";
  }
}

/** @decided  answers that come twice, as by a double click, do not make a second run */
const answeredBefore = (run_id: string) =>
  new ServiceError(
    "CONFLICT",
    `run ${run_id} has been answered and is completed; leave tools out to go on from it`,
  );

/**
 * A paused run with its answers entered. The digest of every call must be what it was at the pause.
 *
 * @param approvals  those that the run's calls name
 * @throws ServiceError BAD_REQUEST or CONFLICT; see `applyAnswers` and `applyApproval`
 */
export function answerRun(
  run: StoredRun,
  asked: ContinueAsked,
  approvals: readonly StoredApproval[],
  agent: Member,
  who: Answerer,
  ports: Pick<EnginePorts, "clock" | "newId">,
): AnsweredRun {
  if (asked.continue_from !== "end") {
    throw new ServiceError("BAD_REQUEST", "a paused run is continued from its end; use fork=true to go back");
  }
  const waiting = run.output.tools ?? [];
  refuseChangedTools(run, waiting, agent);
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  const decided = waiting.map((call) => applyApproval(call, byId, agent));
  const answered = applyAnswers(decided, asked.tools);
  requireAnswers(answered);
  const wasWaiting = new Set(waiting.filter(awaitsPerson).map(({ tool_call_id }) => tool_call_id));
  const tools = answered.map((call) =>
    call.approval_type === "audit" && wasWaiting.has(call.tool_call_id)
      ? { ...call, approval_id: ports.newId() }
      : call,
  );
  const state = withInput(stateFromRun(run.output, tools, ports.clock.now()), asked.input, ports);
  const output = answeredOutput(run.output, tools, approvals);
  return { state, output, recorded: audited({ ...run, output }, wasWaiting, who) };
}

/** One record for each audited call that was answered now. */
function audited(run: StoredRun, answered: ReadonlySet<string>, who: Answerer): StoredApproval[] {
  return (run.output.tools ?? []).flatMap((call) => {
    const { approval_type, approval_id: id, tool_call_id } = call;
    if (approval_type !== "audit" || id === null || !answered.has(tool_call_id)) return [];
    return [approvalOfAnswer(run, call, { id, ...who })];
  });
}

function refuseChangedTools(run: StoredRun, tools: readonly ToolExecution[], agent: Member): void {
  for (const call of tools.filter(awaitsPerson)) {
    const shown = run.digests?.[call.tool_call_id];
    if (shown === undefined || shown === toolDigest(call, agent)) continue;
    throw new ServiceError(
      "CONFLICT",
      `the tool ${call.tool_name} has changed since the run paused before it; cancel the run and start it anew`,
    );
  }
}

function answeredOutput(
  output: RunOutput,
  tools: readonly ToolExecution[],
  approvals: readonly StoredApproval[],
): RunOutput {
  const byId = new Map(tools.map((call) => [call.tool_call_id, call]));
  const requirements = output.requirements?.map((one) =>
    answeredRequirement(one, byId.get(one.tool_execution.tool_call_id)),
  );
  const newest = approvals.reduce<StoredApproval | undefined>(
    (last, one) => (last && last.created_at > one.created_at ? last : one),
    undefined,
  );
  return {
    ...output,
    tools: [...tools],
    ...(requirements && { requirements }),
    ...(newest && { metadata: { ...output.metadata, approval: wireApproval(newest) } }),
  };
}

function answeredRequirement(one: Requirement, call: ToolExecution | undefined): Requirement {
  if (!call) return one;
  return {
    ...one,
    tool_execution: call,
    ...(call.confirmed !== null && { confirmation: call.confirmed }),
    ...(call.confirmation_note !== null && { confirmation_note: call.confirmation_note }),
    ...(call.external_execution_required &&
      call.result !== null && { external_execution_result: call.result }),
    ...(call.user_input_schema && { user_input_schema: call.user_input_schema }),
    ...(call.user_feedback_schema && { user_feedback_schema: call.user_feedback_schema }),
  };
}

/**
 * A failed run, taken up where it stopped or at an earlier message.
 *
 * @param checkpoint  its last step, where one was kept
 * @returns           no state when it had not begun: it starts over
 */
export function retakeRun(
  { output }: StoredRun,
  asked: ContinueAsked,
  checkpoint: RunState | undefined,
  ports: Pick<EnginePorts, "clock" | "newId">,
): Omit<ContinuedRun, "state"> & { readonly state: RunState | undefined } {
  const kept = checkpoint ?? (output.messages && stateFromRun(output, output.tools ?? [], ports.clock.now()));
  if (!kept) return { state: undefined, output };
  const state = asked.continue_from === "end" ? kept : cutState(kept, asked.continue_from);
  return { state: withInput(state, asked.input, ports), output };
}

/** The state with a further word of the user's; results of pending calls still find their place before it. */
export function withInput(
  state: RunState,
  input: string | undefined,
  ports: Pick<EnginePorts, "clock" | "newId">,
): RunState {
  if (input === undefined) return state;
  const messages = [...state.messages, newMessage({ role: "user", content: input }, ports)];
  return { ...state, messages, content: contentOf(messages) };
}

/** The state that its first messages alone make. @throws ServiceError BAD_REQUEST when there is nothing to answer */
export function cutState(state: RunState, from: ContinueFrom): RunState {
  const messages = wholePart(state.messages, messageCut(state.messages, from));
  return { ...state, messages, tools: toolsIn(messages, state.tools), content: contentOf(messages) };
}

function toolsIn(messages: readonly Message[], tools: readonly ToolExecution[]): ToolExecution[] {
  const told = new Set(messages.map(({ tool_call_id }) => tool_call_id));
  return tools.filter(({ tool_call_id }) => told.has(tool_call_id));
}
