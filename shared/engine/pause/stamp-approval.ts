import { awaitsPerson } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";

/**
 * Names the approval that a pausing run waits for on every call that needs one: one approval for each pause.
 *
 * @source contract, approvals A3, "once per pause"
 */
export function stampApproval(state: RunState, approvalId: () => string): RunState {
  const needsOne = (call: RunState["tools"][number]) =>
    call.approval_type === "required" && call.approval_id === null && awaitsPerson(call);
  if (!state.tools.some(needsOne)) return state;
  const approval_id = approvalId();
  return { ...state, tools: state.tools.map((call) => (needsOne(call) ? { ...call, approval_id } : call)) };
}

/** Names the approval of one pause: that which a member's call waits for already, or a new one. */
export function oneApproval(from: RunState | undefined, newId: () => string): () => string {
  let known = from && approvalIn(from);
  return () => {
    known ??= newId();
    return known;
  };
}

function approvalIn({ tools, members = [] }: RunState): string | undefined {
  const waiting = tools.find((call) => call.approval_id !== null && awaitsPerson(call));
  if (waiting?.approval_id != null) return waiting.approval_id;
  return members.flatMap(({ state }) => (state && approvalIn(state)) ?? [])[0];
}
