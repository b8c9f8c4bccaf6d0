import { untilStopped } from "../../runtime/promises.ts";
import type { HookRefusal } from "../define/hook.ts";
import type { RunFault } from "../model/model-fault.ts";
import type { Execution } from "../run/execution.ts";

type Verdict = HookRefusal | undefined;

/**
 * Asks one hook. One that fails counts as a refusal.
 *
 * @throws the signal's reason
 */
export async function faultOf(
  name: string,
  check: () => Verdict | Promise<Verdict>,
  error_type: string,
  { ports: { signal } }: Execution,
): Promise<RunFault | undefined> {
  try {
    // An async function, so that a hook which throws at once is caught like one that rejects.
    const verdict = await untilStopped((async () => check())(), signal);
    return verdict && refusal(verdict, error_type);
  } catch (thrown) {
    signal.throwIfAborted();
    return { cause: "internal", text: `The check ${name} failed.`, thrown };
  }
}

const refusal = ({ refused, error_id }: HookRefusal, error_type: string): RunFault => ({
  cause: "input",
  text: refused,
  thrown: undefined,
  error_type,
  error_id,
});
