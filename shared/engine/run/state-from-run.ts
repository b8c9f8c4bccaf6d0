import type { Message, RunOutput, ToolExecution } from "../../schemas/runs/run.ts";
import { usageOf, usedIn } from "./metrics.ts";
import { endOfPrompt } from "./next-step.ts";
import { isAnswer } from "./repetition.ts";
import type { MemberRun, RunState } from "./run-state.ts";
import { lastViewOf } from "./shown-messages.ts";

/**
 * Rebuilds the state of a paused or ended run from its record. Time spent waiting does not count: the run is as old
 * as it was when it stopped.
 *
 * @param nowMs  epoch milliseconds
 */
export function stateFromRun(output: RunOutput, tools: readonly ToolExecution[], nowMs: number): RunState {
  const messages = completeMessages(output);
  const { duration = 0, time_to_first_token } = output.metrics ?? {};
  const started_at_ms = nowMs - Math.round(duration * 1000);
  return {
    messages,
    tools,
    calls: messages.length, // no call that follows has the name of one before
    ...cacheState(output, messages),
    ...(output.metrics?.additional_metrics?.fallbacks && {
      fallbacks: output.metrics.additional_metrics.fallbacks,
    }),
    ...viewState(output, messages),
    content: contentOf(messages),
    reasoning_content: output.reasoning_content ?? "",
    usage: usageOf(output.metrics),
    ...usedIn(output.metrics),
    started_at_ms,
    first_token_at_ms:
      time_to_first_token === undefined ? null : started_at_ms + Math.round(time_to_first_token * 1000),
    ...teamState(output, messages, nowMs),
  };
}

/** What the next call marks, and compares itself with. */
function cacheState({ metrics }: RunOutput, messages: readonly Message[]): Partial<RunState> {
  const { last, breaks = [] } = metrics?.additional_metrics?.cache ?? {};
  const end = endOfPrompt(messages.slice(0, messages.findLastIndex(isAnswer)));
  return {
    ...(end && { cache_to: end.id }),
    ...(last && { prompt: last }),
    ...(breaks.length > 0 && { cache_breaks: breaks }),
  };
}

/** What the next prompt leaves out. A fork that ends before what was kept begins anew. */
function viewState(output: RunOutput, messages: readonly Message[]): Pick<RunState, "view"> {
  const view = lastViewOf(output);
  const ids = new Set(messages.map(({ id }) => id));
  const isHere = (id: string | undefined) => id === undefined || ids.has(id);
  const holds = view && isHere(view.cleared_to) && isHere(view.folds?.at(-1)?.first_kept_message_id);
  return holds ? { view: { ...view, changed_at: messages.length } } : {};
}

/** A team's tasks and its members' runs; runs that wait or were cut off get the state in which they stopped. */
function teamState(output: RunOutput, messages: readonly Message[], nowMs: number): Partial<RunState> {
  const { member_responses, team_tasks } = output;
  const answeredIds = new Set(messages.map(({ tool_call_id }) => tool_call_id));
  return {
    ...(member_responses && {
      members: member_responses.map((one) =>
        memberRun(one, output.status === "ERROR" && !answeredIds.has(one.parent_tool_call_id), nowMs),
      ),
    }),
    ...(team_tasks && { tasks: team_tasks }),
  };
}

/** @param isCutOff  whether it ended only because its team's run did */
function memberRun(output: RunOutput, isCutOff: boolean, nowMs: number): MemberRun {
  const { run_id, agent_id, team_id, parent_tool_call_id = "", input, created_at, status } = output;
  const run = {
    run_id,
    member_id: team_id ?? agent_id ?? "",
    tool_call_id: parent_tool_call_id,
    task: input.input_content,
    created_at,
  };
  const state = () => stateFromRun(output, output.tools ?? [], nowMs);
  if (status === "PAUSED") return { ...run, output, state: state(), told: true };
  return isCutOff && status !== "COMPLETED" ? { ...run, state: state() } : { ...run, output };
}

/** Drops the last turn of a failed run: it broke off in the middle, so the model is called again. */
function completeMessages({ status, messages = [] }: RunOutput): readonly Message[] {
  const last = messages[messages.length - 1];
  const brokeOff = status === "ERROR" && last?.role === "assistant" && last.tool_calls === undefined;
  return brokeOff ? messages.slice(0, -1) : messages;
}

/** The model's text since the last message of a user; one that was sent to the run while it went on ends nothing. */
export function contentOf(messages: readonly Message[]): string {
  const since = messages.findLastIndex(({ role, steered }) => role === "user" && !steered) + 1;
  return messages
    .slice(since)
    .map(({ role, content }) => (role === "assistant" ? (content ?? "") : ""))
    .join("");
}
