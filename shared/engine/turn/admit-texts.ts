import { untilStopped } from "../../runtime/promises.ts";
import type { Message } from "../../schemas/runs/run.ts";
import type { PreHook } from "../define/hook.ts";
import type { RunFault } from "../model/model-fault.ts";
import { type Execution, runContextOf } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { faultOf } from "./fault-of.ts";
import { type SaidText, saidIn, textsAdded, textsOfMessage, textsOfRequest } from "./said-texts.ts";
import type { Inserted } from "./system-text.ts";

/** Whether a text of a person has to pass a guard in this run. */
const isGuarded = ({ agent, ports }: Execution): boolean =>
  agent.pre_hooks.length > 0 || (ports.guardsAround?.pre ?? []).length > 0;

/**
 * Lets the texts of a run's request pass, or refuses them. Every text of a person or a client that a model is shown passes
 * one of the four functions here, and no other.
 *
 * @returns the fault that ends the run, or undefined when every hook accepts every text
 * @throws  the signal's reason
 * @source  docs/interface/runs.md 5.8
 */
export async function admitRequest(execution: Execution): Promise<RunFault | undefined> {
  if (!isGuarded(execution)) return undefined;
  const said = await untilStopped(textsOfRequest(execution), execution.ports.signal);
  const fault = await runPreHooks(said, execution.request.input, execution);
  // What a leader asks of its member is no person's text.
  const beside = said.filter(({ origin }) => origin !== "message");
  return fault ?? refusalBy(execution.ports.guardsAround?.pre, beside, execution);
}

/** The same for what placeholders of the first prompt stand for. It emits nothing: the hooks have been announced. */
export async function admitInserted(
  inserted: readonly Inserted[],
  execution: Execution,
): Promise<RunFault | undefined> {
  const texts = inserted.flatMap(({ origin, value }) => saidIn(origin, value));
  return refusalBy(
    [...execution.agent.pre_hooks, ...(execution.ports.guardsAround?.pre ?? [])],
    texts,
    execution,
  );
}

/**
 * The same for what was added to a run since: a further message, answers, notes. Called before every step that shows it
 * to a model, or gives it to a tool.
 *
 * @returns the state; where a text is refused with the fault and without the messages that were to be added, so that no
 *          later run finds them in the history
 */
export async function admitAdded(
  state: RunState,
  execution: Execution,
): Promise<{ readonly state: RunState; readonly fault?: RunFault }> {
  const added = isGuarded(execution) ? textsAdded(state) : [];
  if (added.length === 0) return { state };
  const input = added.map(({ text }) => text).join("\n\n");
  const fault =
    (await runPreHooks(added, input, execution)) ??
    (await refusalBy(execution.ports.guardsAround?.pre, added, execution));
  const ids = added.flatMap(({ message_id }) => message_id ?? []);
  if (fault)
    return { state: { ...state, messages: state.messages.filter(({ id }) => !ids.includes(id)) }, fault };
  return { state: withPassed(state, ids) };
}

/**
 * The state with a message that a person has sent to the run since it began.
 *
 * @returns undefined where a hook refuses it: the run goes on without it
 */
export async function admitSteered(
  state: RunState,
  message: Message,
  execution: Execution,
): Promise<RunState | undefined> {
  const after = { ...state, messages: [...state.messages, message] };
  if (!isGuarded(execution)) return after;
  const hooks = [...execution.agent.pre_hooks, ...(execution.ports.guardsAround?.pre ?? [])];
  const texts = await untilStopped(textsOfMessage(message, execution), execution.ports.signal);
  return (await refusalBy(hooks, texts, execution)) ? undefined : withPassed(after, [message.id]);
}

/** The state with messages that no guard is asked about again. */
const withPassed = (state: RunState, ids: readonly string[]): RunState =>
  ids.length > 0 ? { ...state, passed: [...(state.passed ?? []), ...ids] } : state;

/** The first state of a run: all its messages have passed, or are the component's own. */
export function admittedState(state: RunState, execution: Execution): RunState {
  if (!isGuarded(execution)) return state;
  return withPassed(
    state,
    state.messages.flatMap(({ id, role }) => (role === "user" ? [id] : [])),
  );
}

async function runPreHooks(
  texts: readonly SaidText[],
  input_content: string,
  execution: Execution,
): Promise<RunFault | undefined> {
  const { agent, emit } = execution;
  const run_input = { input_content };
  for (const hook of agent.pre_hooks) {
    emit({ event: "PreHookStarted", pre_hook_name: hook.name, run_input });
    const fault = await refusalBy([hook], texts, execution);
    if (fault) return fault;
    emit({ event: "PreHookCompleted", pre_hook_name: hook.name, run_input });
  }
  return undefined;
}

async function refusalBy(
  hooks: readonly PreHook[] = [],
  texts: readonly SaidText[],
  execution: Execution,
): Promise<RunFault | undefined> {
  for (const hook of hooks) {
    for (const { text, origin } of texts) {
      const check = () => hook.check(text, runContextOf(execution), origin);
      const fault = await faultOf(hook.name, check, "input_check_error", execution);
      if (fault) return fault;
    }
  }
  return undefined;
}
