import { awaitsPerson } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";

/** Sets the id of the approval on every call of a pausing run that needs one: one approval for each pause. */
export function stampApproval(state: RunState, approvalId: () => string): RunState {
  const needsOne = (call: RunState["tools"][number]) =>
    call.approval_type === "required" && call.approval_id === null && awaitsPerson(call);
  if (!state.tools.some(needsOne)) return state;
  const approval_id = approvalId();
  return { ...state, tools: state.tools.map((call) => (needsOne(call) ? { ...call, approval_id } : call)) };
}

/** The id of a pause's approval: the one that a member's call already waits for, or a new one. */
export function oneApproval(from: RunState | undefined, newId: () => string): () => string {
  let id = from && approvalIn(from);
  return () => {
    id ??= newId();
    return id;
  };
}

function approvalIn({ tools, members = [] }: RunState): string | undefined {
  const waiting = tools.find((call) => call.approval_id !== null && awaitsPerson(call));
  if (waiting?.approval_id != null) return waiting.approval_id;
  return members.flatMap(({ state }) => (state && approvalIn(state)) ?? [])[0];
}
