import type { Message, RunOutput } from "../../schemas/runs/run.ts";
import type { PostHook } from "../define/hook.ts";
import type { RunFault } from "../model/model-fault.ts";
import { type Execution, runContextOf } from "../run/execution.ts";
import type { Step } from "../run/next-step.ts";
import type { RunState, Withheld } from "../run/run-state.ts";
import type { ModelCall, ModelTurn } from "./call-model.ts";
import { faultOf } from "./fault-of.ts";
import { holdText } from "./hold-text.ts";

/** Whether what the model of this run says has to pass a guard. */
export const guardsOutput = (execution: Execution): boolean => hooksOf(execution).length > 0;

const hooksOf = ({ agent, ports }: Execution): readonly PostHook[] => [
  ...agent.post_hooks,
  ...(ports.guardsAround?.post ?? []),
];

/**
 * Asks the guards about the text of a run so far, and emits nothing. Where one refuses and the component keeps such texts,
 * the text is kept for admins.
 *
 * @throws the signal's reason
 */
export async function refusalOfAnswer(text: string, execution: Execution): Promise<Withheld | undefined> {
  for (const hook of hooksOf(execution)) {
    const fault = await postFault(hook, text, execution);
    if (!fault) continue;
    await keep(text, hook.name, fault, execution);
    return { hook: hook.name, fault };
  }
  return undefined;
}

const postFault = (hook: PostHook, text: string, execution: Execution): Promise<RunFault | undefined> =>
  faultOf(hook.name, () => hook.check(text, runContextOf(execution)), "output_check_error", execution);

async function keep(text: string, hook: string, { error_id }: RunFault, execution: Execution): Promise<void> {
  const { agent, ports, request } = execution;
  if (agent.keep_withheld !== "audit" && !ports.guardsAround?.keepsWithheld) return;
  await ports.keepWithheld?.({
    run_id: request.run_id,
    hook,
    text,
    ...(error_id !== undefined && { error_id }),
  });
}

/**
 * Ends the text of a run: emits its hooks, and asks them where they have not let the whole text pass yet.
 *
 * @throws the signal's reason
 */
export async function runPostHooks(state: RunState, execution: Execution): Promise<Withheld | undefined> {
  const isReleased = state.released === state.content.length;
  const withheld = isReleased ? undefined : await refusalOfAnswer(state.content, execution);
  emitPostHooks(withheld, execution);
  return withheld;
}

/** The end of a run whose text a guard has refused; the state has the reason in its place. */
export function withheldStep(
  { withheld: _, ...state }: RunState,
  withheld: Withheld,
  execution: Execution,
): Step {
  execution.emit({ event: "RunContentCompleted" });
  emitPostHooks(withheld, execution);
  return { state, ending: { kind: "failed", fault: withheld.fault } };
}

/** Emits the hooks of a run up to the one that refused. */
function emitPostHooks(withheld: Withheld | undefined, { agent, emit }: Execution): void {
  for (const { name: post_hook_name } of agent.post_hooks) {
    emit({ event: "PostHookStarted", post_hook_name });
    if (post_hook_name === withheld?.hook) return;
    emit({ event: "PostHookCompleted", post_hook_name });
  }
}

/** The state of a run with the reason in every place that had its text. */
export function withheldState(state: RunState, { fault: { text } }: Withheld): RunState {
  const { members, messages, tools } = state;
  return {
    ...state,
    content: text,
    reasoning_content: "",
    messages: messages.map((message) => withheldMessage(message, text)),
    tools: tools.map((call) =>
      call.stop_after_tool_call && call.result !== null ? { ...call, result: text } : call,
    ),
    ...(members && {
      members: members.map(({ output, ...run }) =>
        output ? { ...run, output: withheldOutput(output, text) } : run,
      ),
    }),
  };
}

function withheldMessage(message: Message, text: string): Message {
  const { reasoning_content: _r, provider_data: _p, ...rest } = message;
  const isAnswer = message.role === "assistant" || message.stop_after_tool_call;
  if (message.from_history || !isAnswer) return message;
  return { ...rest, ...(message.content !== undefined && { content: text }) };
}

function withheldOutput(output: RunOutput, text: string): RunOutput {
  const { reasoning_content: _, messages = [], member_responses, ...rest } = output;
  return {
    ...rest,
    ...(output.content !== undefined && { content: text, content_type: "str" }),
    messages: messages.map((message) => withheldMessage(message, text)),
    ...(member_responses && { member_responses: member_responses.map((one) => withheldOutput(one, text)) }),
  };
}

/**
 * Makes a model call whose text leaves the process once the guards of the output have let it pass: no event, record, span or
 * checkpoint holds it before, and none ever where they refuse it.
 *
 * @param call  the call, with the execution by which it emits
 */
export async function guardedCall(
  state: RunState,
  execution: Execution,
  call: (execution: Execution) => Promise<ModelCall>,
): Promise<ModelCall> {
  if (!guardsOutput(execution)) return call(execution);
  const held = holdText(execution);
  try {
    const made = await call(held.execution);
    const turn = await guardTurn(state, made.turn, execution);
    if (turn === made.turn) held.release();
    return { ...made, turn };
  } finally {
    held.withhold(); // nothing, where it was released
  }
}

/**
 * A turn as far as the guards of the output let it pass. A refused one says why instead of what it said, and calls nothing.
 * What was cut off by the end of the run is left out: no guard has seen it.
 *
 * @param question  what the turn asks of a person beside its text
 */
export async function guardTurn(
  state: RunState,
  turn: ModelTurn,
  execution: Execution,
  question = "",
): Promise<ModelTurn> {
  if (!guardsOutput(execution) || (turn.text === "" && turn.reasoning === "" && question === "")) return turn;
  const { provider_data: _p, media: _m, ...rest } = turn;
  const bare = { ...rest, reasoning: "", calls: [] };
  if (execution.ports.signal.aborted) return { ...bare, text: "" };
  try {
    const withheld =
      (await refusalOfAnswer(state.content + turn.text, execution)) ??
      (question === "" ? undefined : await refusalOfAnswer(question, execution));
    return withheld ? { ...bare, text: withheld.fault.text, withheld } : turn;
  } catch (thrown) {
    if (!execution.ports.signal.aborted) throw thrown;
    return { ...bare, text: "" };
  }
}
