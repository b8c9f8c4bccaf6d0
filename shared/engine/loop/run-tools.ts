import { allSettled } from "../../runtime/all-settled.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { Message, ToolExecution } from "../../schemas/runs/run.ts";
import { ownMember } from "../../schemas/values/own-member.ts";
import { openBatch } from "../call/batch.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage } from "../run/new-message.ts";
import { dueCalls, pendingCalls } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import { endRound } from "../team/rounds.ts";
import { completeCall } from "./complete-call.ts";

/**
 * Completes the pending tool calls of a run concurrently. Their results are added to the messages in the order of the
 * calls. Aborted calls stay pending; a call that may have happened before waits for a person, and so does one whose
 * member's run waits.
 */
export async function runTools(state: RunState, execution: Execution): Promise<RunState> {
  const batch = openBatch(state, execution);
  const calls = await allSettled(dueCalls(state).map((call) => completeCall(call, batch, execution)));
  const completed = calls.filter(({ result }) => result !== null);
  const answered = withResults(batch.state(), completed, execution);
  const answer = answerIn(completed);
  const isOver = pendingCalls(answered).length === 0;
  const next = isOver || answer !== "" ? emitContinued(answered, execution) : answered;
  if (answer !== "") {
    execution.emit({
      event: "RunContent",
      content: answer,
      content_type: "str",
      workflow_agent: false,
      reasoning_content: "",
    });
  }
  const after = { ...next, content: next.content + answer };
  return isOver ? endRound(after, execution) : after;
}

/** A continued team emits its event after its members'. */
function emitContinued({ owes_continued, ...state }: RunState, { emit }: Execution): RunState {
  if (owes_continued) emit({ event: "RunContinued" });
  return state;
}

/** Inserts results right after the turn that requested them, also where a user message was added since. */
function withResults(state: RunState, completed: readonly ToolExecution[], execution: Execution): RunState {
  const { messages } = state;
  const at = messages.findLastIndex(({ role }) => role !== "user") + 1;
  const { media = {}, ...rest } = state;
  const results = completed.map((call) => toolMessage(call, ownMember(media, call.tool_call_id), execution));
  const answered = { ...rest, messages: [...messages.slice(0, at), ...results, ...messages.slice(at)] };
  const unused = Object.entries(media).filter(([id]) => !completed.some((call) => call.tool_call_id === id));
  return unused.length === 0 ? answered : { ...answered, media: Object.fromEntries(unused) };
}

const answerIn = (completed: readonly ToolExecution[]): string =>
  completed
    .filter(isAnswer)
    .map(({ result }) => result)
    .join("\n"); // every completed call has a result

/** @decided  A failed call is no answer, even of a tool whose result is the answer: the model may correct it. */
const isAnswer = (call: ToolExecution): boolean => call.stop_after_tool_call && call.tool_call_error !== true;

/** The model has proposed other arguments than those of an edited call, so it is shown what was called. */
function resultText(call: ToolExecution): string {
  const { result, proposed_args, tool_args } = call;
  if (!proposed_args || isAnswer(call)) return result ?? "";
  return `A person changed the arguments of this call to ${JSON.stringify(tool_args)}. Its result:\n${result}`;
}

function toolMessage(call: ToolExecution, media: OutputMedia | undefined, { ports }: Execution): Message {
  return newMessage(
    {
      role: "tool",
      content: resultText(call),
      tool_call_id: call.tool_call_id,
      tool_name: call.tool_name,
      tool_args: call.tool_args,
      tool_call_error: call.tool_call_error === true,
      stop_after_tool_call: isAnswer(call),
      ...media,
    },
    ports,
  );
}
