import { untilStopped } from "../abort/until-stopped.ts";
import type { HookRefusal, PostHook, PreHook } from "../define/hook.ts";
import type { RunFault } from "../model/model-fault.ts";
import { type Execution, runContextOf } from "../run/execution.ts";

/**
 * Runs an agent's hooks on the input, one after the other.
 *
 * @returns the fault that ends the run, or undefined when every hook accepts the input
 * @throws  the signal's reason
 * @source  docs/interface/runs.md 5.8
 */
export async function runPreHooks(execution: Execution): Promise<RunFault | undefined> {
  const { agent, request, emit } = execution;
  const run_input = { input_content: request.input };
  for (const hook of agent.pre_hooks) {
    emit({ event: "PreHookStarted", pre_hook_name: hook.name, run_input });
    const fault = await faultOf(hook, request.input, "input_check_error", execution);
    if (fault) return fault;
    emit({ event: "PreHookCompleted", pre_hook_name: hook.name, run_input });
  }
  return undefined;
}

/** The same for the answer. */
export async function runPostHooks(content: string, execution: Execution): Promise<RunFault | undefined> {
  const { agent, emit } = execution;
  for (const hook of agent.post_hooks) {
    emit({ event: "PostHookStarted", post_hook_name: hook.name });
    const fault = await faultOf(hook, content, "output_check_error", execution);
    if (fault) return fault;
    emit({ event: "PostHookCompleted", post_hook_name: hook.name });
  }
  return undefined;
}

async function faultOf(
  hook: PreHook | PostHook,
  text: string,
  error_type: string,
  execution: Execution,
): Promise<RunFault | undefined> {
  const { signal } = execution.ports;
  try {
    // An async function, so that a hook which throws at once is caught like one that rejects.
    const checked = (async () => hook.check(text, runContextOf(execution)))();
    const verdict = await untilStopped(checked, signal);
    return verdict && refusal(verdict, error_type);
  } catch (thrown) {
    signal.throwIfAborted();
    // A hook that fails counts as a refusal.
    return { cause: "internal", text: `The check ${hook.name} failed.`, thrown };
  }
}

const refusal = ({ refused, error_id }: HookRefusal, error_type: string): RunFault => ({
  cause: "input",
  text: refused,
  thrown: undefined,
  error_type,
  error_id,
});
