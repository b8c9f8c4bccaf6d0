import { awaitsPerson, type RunState } from "./run-state.ts";

/**
 * Names the approval that a pausing run waits for on every call that needs one: one approval for each pause.
 *
 * @source contract, approvals A3, "once per pause"
 */
export function stampApproval(state: RunState, newId: () => string): RunState {
  const needsOne = (call: RunState["tools"][number]) =>
    call.approval_type === "required" && call.approval_id === null && awaitsPerson(call);
  if (!state.tools.some(needsOne)) return state;
  const approval_id = newId();
  return { ...state, tools: state.tools.map((call) => (needsOne(call) ? { ...call, approval_id } : call)) };
}
