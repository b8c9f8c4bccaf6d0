import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { RunState } from "../run/run-state.ts";
import { stateFromRun } from "../run/state-from-run.ts";
import type { ContinuedRun } from "./answer-run.ts";
import { cutState, withInput } from "./answer-run.ts";
import type { ContinueRequest } from "./continue-request.ts";
/**
 * A failed run, resumed where it stopped or at an earlier message.
 *
 * @param checkpoint  the state after its last step, where it was saved
 * @returns           no state when the run had not begun: it starts over
 */
export function resumeFailedRun(
  { output }: StoredRun,
  asked: ContinueRequest,
  checkpoint: RunState | undefined,
  ports: Pick<EnginePorts, "clock" | "newId">,
): Omit<ContinuedRun, "state"> & { readonly state: RunState | undefined } {
  const saved =
    checkpoint ?? (output.messages && stateFromRun(output, output.tools ?? [], ports.clock.now()));
  if (!saved) return { state: undefined, output };
  const state = asked.continue_from === "end" ? saved : cutState(saved, asked.continue_from);
  return { state: withInput(state, asked.input, ports), output };
}
