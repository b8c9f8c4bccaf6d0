import type { Message, RunOutput } from "../../schemas/runs/run.ts";
import type { PostHook } from "../define/hook.ts";
import type { RunFault } from "../model/model-fault.ts";
import { type Execution, runContextOf } from "../run/execution.ts";
import type { Step } from "../run/next-step.ts";
import type { RunState, Withheld } from "../run/run-state.ts";
import { faultOf } from "./fault-of.ts";

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
