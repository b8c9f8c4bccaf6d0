import { ServiceError } from "../../errors.ts";
import type { RunOutput } from "../../schemas/runs/run.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { noUsage } from "../model/usage.ts";
import type { EnginePorts } from "../ports/engine-ports.ts";
import type { RunState } from "../run/run-state.ts";
import { stateFromRun } from "../run/state-from-run.ts";
import { type ContinuedRun, cutState, withInput } from "./answer-run.ts";
import type { ContinueRequest } from "./continuation-of.ts";

export type Fork = { readonly run: StoredRun; readonly state: RunState };

/**
 * A new run of the same session that begins with the messages of another run, which stays as it is.
 *
 * Regenerating goes back to the last user message. In a fork the copied messages count as history, because the
 * original is still in the session; in an answer that replaces the original they do not.
 *
 * @param facts.now  epoch seconds
 * @throws ServiceError BAD_REQUEST when no message is left that could be answered
 * @source docs/interface/runs.md 7.5
 */
export function planFork(
  source: StoredRun,
  asked: ContinueRequest,
  facts: { readonly run_id: string; readonly user_id: string | null; readonly now: number },
  ports: Pick<EnginePorts, "clock" | "newId">,
): Fork {
  const nowMs = ports.clock.now();
  const whole = stateFromRun(source.output, source.output.tools ?? [], nowMs);
  const cut = cutState(whole, asked.regenerate ? "last_user" : asked.continue_from);
  const replaces = asked.regenerate && asked.replace_original;
  const copied = replaces ? cut : asHistory(cut);
  if (asked.input === undefined && !copied.messages.some(({ role }) => role === "user")) {
    throw new ServiceError("BAD_REQUEST", "no message is left that could be answered; give input");
  }
  const { used_by: _u, folds_used: _f, ...begun } = copied;
  const fresh = {
    reasoning_content: "",
    calls: 0,
    usage: noUsage,
    started_at_ms: nowMs,
    first_token_at_ms: null,
  };
  return {
    state: withInput({ ...begun, ...fresh }, asked.input, ports),
    run: forkedRun(source, asked, facts, cut.messages.length),
  };
}

/** Tool calls and members' runs belong to the original; its messages become history. */
const asHistory = ({ members: _, ...state }: RunState): RunState => ({
  ...state,
  tools: [],
  messages: state.messages.map((one) => ({ ...one, from_history: true })),
});

function forkedRun(
  source: StoredRun,
  { input, regenerate }: ContinueRequest,
  { run_id, user_id, now }: { run_id: string; user_id: string | null; now: number },
  forked_from_message_index: number,
): StoredRun {
  const {
    agent_id,
    agent_name,
    team_id,
    team_name,
    session_id,
    model,
    model_provider,
    metadata,
    session_state,
  } = source.output;
  const output: RunOutput = {
    run_id,
    session_id,
    ...(user_id !== null && { user_id }),
    ...(agent_id !== undefined && { agent_id }),
    ...(agent_name !== undefined && { agent_name }),
    ...(team_id !== undefined && { team_id }),
    ...(team_name !== undefined && { team_name }),
    input: input === undefined || regenerate ? source.output.input : { input_content: input },
    ...(model !== undefined && { model }),
    ...(model_provider !== undefined && { model_provider }),
    ...(metadata && { metadata: withoutApproval(metadata) }),
    ...(session_state && { session_state }),
    forked_from_run_id: source.run_id,
    forked_from_message_index,
    ...(regenerate && { regenerated_from: source.run_id }),
    created_at: now,
    status: "RUNNING",
  };
  return {
    run_id,
    session_id: source.session_id,
    owner: source.owner,
    component_type: source.component_type,
    component_id: source.component_id,
    ...(source.component_version !== undefined && { component_version: source.component_version }),
    status: "RUNNING",
    attempt: 1,
    queued: false,
    opens_session: source.opens_session,
    kwargs: source.kwargs,
    output,
  };
}

/** Without the approval, which was for the calls of the original. */
function withoutApproval({ approval: _, ...metadata }: Record<string, unknown>): Record<string, unknown> {
  return metadata;
}

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
