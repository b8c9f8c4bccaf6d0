import { inTurn } from "../../runtime/promises.ts";
import type { OutputMedia } from "../../schemas/runs/media.ts";
import type { Message, ToolExecution } from "../../schemas/runs/run.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import { afterOverflow, endingFault } from "../context/after-overflow.ts";
import { fitPrompt } from "../context/fit-prompt.ts";
import { withHistorySearch } from "../context/search-history.ts";
import { isRemote } from "../define/remote-agent.ts";
import type { RunFault } from "../model/model-fault.ts";
import { addUsage, noUsage, type Usage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import {
  dueCalls,
  goesOn,
  hasNoCallLeft,
  nextStep,
  pendingCalls,
  type Step,
  stoppedBy,
} from "../run/next-step.ts";
import { tooLarge, withLearnedWindow } from "../run/prompt-size.ts";
import { withReminder } from "../run/repetition.ts";
import { newMessage, type RunState } from "../run/run-state.ts";
import { beginRound, delegationFault, endRound, openBroadcast, withinRound } from "../team/rounds.ts";
import { admitAdded } from "../turn/admit-texts.ts";
import { openBatch } from "../turn/batch.ts";
import { type ModelTurn, waitBeforeRetry } from "../turn/call-model.ts";
import {
  type BudgetedCall,
  callWithinBudget,
  isEmpty,
  noAnswer,
  usableTurn,
} from "../turn/call-within-budget.ts";
import { firstFault, nextModel, returnedToOwn, withModelAt, withUsageBy } from "../turn/fall-back.ts";
import { withheldStep } from "../turn/output-guards.ts";
import { recordBrokenTurn, recordTurn } from "../turn/record-turn.ts";
import { completeCall } from "./complete-call.ts";
import { takeSteered } from "./take-steered.ts";
import { validateAnswer } from "./validate-answer.ts";

/**
 * Takes one step of a run: one model call, or one batch of tool calls. Between two steps the state holds everything,
 * so another process may take the next step.
 *
 * @throws what the signal was aborted with, unless that is a RunStopped
 */
export async function takeStep(state: RunState, before: Execution): Promise<Step> {
  const execution = withHistorySearch(state, before);
  const { signal, beforeStep } = execution.ports;
  beforeStep?.();
  if (signal.aborted) return { state, ending: stoppedBy(signal) };
  const next = nextStep(state);
  switch (next) {
    case "call_model":
    case "run_tools": {
      const steered = next === "call_model" && (await takeSteered(state, execution).catch(stoppedWhileAsked));
      if (steered) return { state: steered };
      const admitted = await admitAdded(state, execution).catch(stoppedWhileAsked);
      if (!admitted) return { state, ending: stoppedBy(signal) };
      return admitted.fault
        ? failed(admitted.state, admitted.fault)
        : takeAdmitted(next, admitted.state, execution);
    }
    case "pause":
      return { state, ending: { kind: "paused" } };
    case "answer": {
      const steered = await takeSteered(state, execution).catch(stoppedWhileAsked);
      if (steered) return { state: steered };
      if (signal.aborted) return { state, ending: stoppedBy(signal) };
      return execution.answer
        ? validateAnswer(state, execution.answer, execution)
        : { state, ending: { kind: "answered" } };
    }
  }

  function stoppedWhileAsked(thrown: unknown): undefined {
    if (!signal.aborted) throw thrown;
  }
}

async function takeAdmitted(
  next: "call_model" | "run_tools",
  state: RunState,
  execution: Execution,
): Promise<Step> {
  switch (next) {
    case "call_model": {
      if (isRemote(execution.agent)) {
        // The client is a chunk of its own, which only runs of remote agents load.
        const { remoteStep } = await import("../remote/remote-step.ts");
        return remoteStep(state, execution.agent, execution);
      }
      const opened = openBroadcast(state, execution);
      return opened ? { state: opened } : modelStep(state, execution);
    }
    case "run_tools": {
      const after = await runTools(state, withinRound(state, execution));
      if (after.withheld) return withheldStep(after, after.withheld, execution);
      const fault = delegationFault(state, after, execution);
      return { state: after, ...(fault && { ending: { kind: "failed", fault } }) };
    }
  }
}

const failed = (state: RunState, fault: RunFault): Step => ({ state, ending: { kind: "failed", fault } });

async function modelStep(before: RunState, execution: Execution): Promise<Step> {
  const own = returnedToOwn(before, execution);
  if (own) return { state: own };
  const by = withModelAt(before, execution);
  const known = await withLearnedWindow(before, by);
  // A step of its own, so that a process which resumes the run shows its model the same.
  const fitted = await fitPrompt(known, by);
  if (fitted) return { state: fitted };
  const fault = await tooLarge(known, by);
  if (fault) {
    const other = nextModel(before, fault, false, by);
    return other ? { state: other } : failed(before, firstFault(before, fault));
  }
  const step = await askModel(known, by);
  return { ...step, state: withUsageBy(before, step.state) };
}

async function askModel(before: RunState, all: Execution): Promise<Step> {
  const round = beginRound(before, all);
  if ("fault" in round) return { state: before, ending: { kind: "failed", fault: round.fault } };
  const { state, execution } = round;
  if (hasNoCallLeft(execution.agent, state.messages))
    return failed(state, noAnswer("max_steps", execution.agent));
  const call = await answerOf(state, execution);
  if (call.ended === "not_made") return call.instead;
  const used = { ...state, calls: state.calls + call.empty, usage: addUsage(state.usage, call.unanswered) };
  if (call.ended === "closed") return closedStep(used, call.fault, execution);
  if (call.ended === "broken") {
    const shorter = await afterOverflow(used, call, execution);
    return shorter ? { state: shorter } : brokenStep(used, call, execution);
  }
  const { turn, fault } = usableTurn(call.turn, state.messages, execution.agent);
  const refused = fault && !turn.withheld ? nextModel(used, fault, false, execution) : undefined;
  if (refused) return { state: { ...refused, usage: addUsage(used.usage, turn.usage) } };
  if (!fault && isCut(turn, state, execution)) return { state: recordBrokenTurn(used, turn, execution) };
  const { failed: _, postponed: _p, ...answered } = used;
  const recorded = recordTurn(answered, turn, execution);
  if (turn.withheld) return withheldStep(recorded, turn.withheld, execution);
  if (fault) return failed(recorded, firstFault(used, fault));
  return { state: pendingCalls(recorded).length === 0 ? endRound(recorded, execution) : recorded };
}

/** Calls the model, once more where its answer is empty. `unanswered` is what empty answers have used, `empty` their number. */
async function answerOf(
  state: RunState,
  execution: Execution,
): Promise<BudgetedCall & { readonly unanswered: Usage; readonly empty: number }> {
  const first = await callWithinBudget(state, execution);
  if (first.ended !== "answered" || !isEmpty(first.turn) || goesOn(state.messages))
    return { ...first, unanswered: noUsage, empty: 0 };
  const unanswered = first.turn.usage;
  const used = { ...state, calls: state.calls + 1, usage: addUsage(state.usage, unanswered) };
  const second = await callWithinBudget(used, execution);
  return { ...second, unanswered, empty: 1 };
}

/**
 * What a run does whose model is not to be called now: another model makes the call. Where there is none, the run is postponed,
 * which its state says before it is; one that a client waits for ends.
 */
function closedStep(before: RunState, fault: RunFault, execution: Execution): Step {
  const { signal, postpone, warn } = execution.ports;
  if (signal.aborted) return { state: before, ending: stoppedBy(signal) };
  // The call was not made, but its name was used.
  const state = { ...before, calls: before.calls + 1 };
  const other = nextModel(before, fault, false, execution);
  if (other) return { state: other };
  const { closed } = fault;
  if (!closed || !postpone) return failed(state, firstFault(state, fault));
  warn?.("postponing a run until its model may be called", { model: execution.model.id, ...closed });
  postpone(closed.until_ms);
  return { state: { ...state, postponed: closed } };
}

/** How often a model is asked to continue an answer that broke off. */
const MAX_CONTINUATIONS = 3;

/** Whether an answer was cut where its agent sets no limit, so that the model continues it in the next step. */
const isCut = (
  { finish_reason, text, calls, media, withheld }: ModelTurn,
  { broken = 0 }: RunState,
  { agent }: Execution,
): boolean =>
  finish_reason === "length" &&
  agent.max_output_tokens === undefined &&
  text !== "" &&
  calls.length === 0 &&
  !media &&
  !withheld &&
  broken < MAX_CONTINUATIONS;

/**
 * What a client has been sent of an answer is never taken back: the model continues it in the next step, where the agent
 * retries at all and another call may help.
 */
async function brokenStep(
  before: RunState,
  { turn, fault }: Extract<BudgetedCall, { ended: "broken" }>,
  execution: Execution,
): Promise<Step> {
  const { clock, signal, warn } = execution.ports;
  const state = recordBrokenTurn(before, turn, execution);
  if (signal.aborted) return { state, ending: stoppedBy(signal) };
  if (turn.withheld) return withheldStep(state, turn.withheld, execution);
  const { agent, model } = execution;
  const { broken = 0 } = state;
  const retries = agent.retries > 0 ? MAX_CONTINUATIONS : 0;
  const waitMs = turn.text === "" ? undefined : waitBeforeRetry({ ...agent, retries }, broken, fault);
  const hasBegun = turn.first_token_at_ms !== null;
  // The model that began an answer continues it once; then another one does.
  const other = waitMs === undefined || broken > 1 ? nextModel(state, fault, hasBegun, execution) : undefined;
  if (other && broken <= MAX_CONTINUATIONS) return { state: other };
  if (waitMs === undefined) return failed(state, firstFault(state, endingFault({ turn, fault })));
  warn?.("continuing an answer that broke off", { model: model.id, broken, wait_ms: waitMs });
  await clock.sleep(waitMs, signal).catch(() => undefined); // an abort ends the next step too
  return { state };
}

/**
 * Completes the pending tool calls of a run, several at once. Their results are added to the messages in the order of the
 * calls. Aborted calls stay pending; a call that may have happened before waits for a person, and so does one whose
 * member's run waits.
 */
async function runTools(state: RunState, execution: Execution): Promise<RunState> {
  const batch = openBatch(state, execution);
  const calls = await inTurn(dueCalls(state), mayStart(execution), (call) =>
    completeCall(call, batch, execution),
  );
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

/** How many tools one answer runs at once where no setting says so. */
const MAX_PARALLEL = 8;

/** Whether a call may start beside those that are running. */
function mayStart({ tools, ports }: Execution) {
  const { parallel = MAX_PARALLEL } = ports.toolLimits ?? {};
  return ({ tool_name }: ToolExecution, running: readonly ToolExecution[]): boolean => {
    const { max_parallel = parallel } = tools.find(({ name }) => name === tool_name) ?? {};
    const same = running.filter((call) => call.tool_name === tool_name);
    return running.length < parallel && same.length < max_parallel;
  };
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
  const upToResults = [...messages.slice(0, at), ...results];
  const noted =
    pendingCalls({ ...state, messages: upToResults }).length === 0
      ? withReminder(upToResults, execution.agent)
      : upToResults;
  const answered = { ...rest, messages: [...noted, ...messages.slice(at)] };
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
      ...(call.stored_result && { stored_result: call.stored_result }),
      stop_after_tool_call: isAnswer(call),
      ...media,
    },
    ports,
  );
}
