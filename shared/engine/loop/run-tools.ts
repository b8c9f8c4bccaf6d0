import { allSettled } from "../../runtime/all-settled.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { Message, ToolExecution } from "../../schemas/runs/run.ts";
import { openBatch } from "../call/batch.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage } from "../run/new-message.ts";
import { dueCalls, pendingTools } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import { endRound } from "../team/rounds.ts";
import { completeCall } from "./complete-call.ts";

/**
 * Settles the pending tool calls of a run side by side. Their results enter the conversation in the order the model
 * asked for them. Calls that a stop cuts off stay pending; one that may have happened before waits for a person, and so
 * does one whose member's run waits.
 */
export async function runTools(state: RunState, execution: Execution): Promise<RunState> {
  const batch = openBatch(state, execution);
  const calls = await allSettled(dueCalls(state).map((call) => completeCall(call, batch, execution)));
  const settled = calls.filter(({ result }) => result !== null);
  const told = withResults(batch.state(), settled, execution);
  const answer = answerIn(settled);
  const isOver = pendingTools(told).length === 0;
  const next = isOver || answer !== "" ? goOn(told, execution) : told;
  if (answer !== "") {
    execution.emit({
      event: "RunContent",
      content: answer,
      content_type: "str",
      workflow_agent: false,
      reasoning_content: "",
    });
  }
  const spoken = { ...next, content: next.content + answer };
  return isOver ? endRound(spoken, execution) : spoken;
}

/** A team that was continued goes on itself once its members have. @source contract, runs-and-queue 5.5, "team continue" */
function goOn({ owes_continued, ...state }: RunState, { emit }: Execution): RunState {
  if (owes_continued) emit({ event: "RunContinued" });
  return state;
}

/** Results stand right after the turn that asked for them, also where somebody has written something since. */
function withResults(state: RunState, settled: readonly ToolExecution[], execution: Execution): RunState {
  const { messages } = state;
  const at = messages.findLastIndex(({ role }) => role !== "user") + 1;
  const { media = {}, ...rest } = state;
  const results = settled.map((call) => toolMessage(call, media[call.tool_call_id], execution));
  const told = { ...rest, messages: [...messages.slice(0, at), ...results, ...messages.slice(at)] };
  const untold = Object.entries(media).filter(([id]) => !settled.some((call) => call.tool_call_id === id));
  return untold.length === 0 ? told : { ...told, media: Object.fromEntries(untold) };
}

const answerIn = (settled: readonly ToolExecution[]): string =>
  settled
    .filter(isAnswer)
    .map(({ result }) => result)
    .join("\n"); // a result is text by now

/** @decided  A failure is no answer, also of a tool whose result is the answer: the model is told and may do better. */
const isAnswer = (call: ToolExecution): boolean => call.stop_after_tool_call && call.tool_call_error !== true;

function toolMessage(call: ToolExecution, media: OutputMedia | undefined, { ports }: Execution): Message {
  return newMessage(
    {
      role: "tool",
      content: call.result ?? "",
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
