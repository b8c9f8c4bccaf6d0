import type { RunFault } from "../model/model-fault.ts";
import type { Execution } from "../run/execution.ts";
import { runsOfCall } from "../run/member-run.ts";
import { nextStep, pendingCalls } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import { contentText } from "./member-answer.ts";

/**
 * The fault that ends a team's run because its members failed: a team that routes has no answer but theirs, and where
 * all of a broadcast fail there is nothing to answer from. Elsewhere the leader sees the failure and may react.
 *
 * @param before  the state before the batch of calls
 */
export function delegationFault(
  before: RunState,
  after: RunState,
  { agent, ports }: Execution,
): RunFault | undefined {
  if (agent.kind !== "team" || !["route", "broadcast"].includes(agent.mode)) return undefined;
  if (ports.signal.aborted || nextStep(after) !== "call_model") return undefined;
  const completed = new Set(pendingCalls(before).map(({ tool_call_id }) => tool_call_id));
  const failed = after.tools
    .filter(({ tool_call_id, tool_call_error }) => completed.has(tool_call_id) && tool_call_error === true)
    .flatMap((call) => runsOfCall(after, call));
  if (failed.length === 0) return undefined;
  return {
    cause: failed.find(({ cause }) => cause !== undefined)?.cause ?? "model",
    text: failed.map(({ output }) => contentText(output?.content)).join("\n"),
    thrown: undefined,
  };
}
