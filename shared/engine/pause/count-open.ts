import { isTimedOut, type OpenCall, openRequirements } from "../../domain/runs/open-requirements.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import { awaitsPerson } from "../run/next-step.ts";
import { applyApproval } from "./apply-answers.ts";

/**
 * How many questions of a paused run are open once its approvals are taken into account. Questions about a call that a
 * decided approval answers are not open; a step whose time is up is not waited for.
 *
 * @param nowMs  epoch milliseconds
 */
export function countOpen(output: StoredOutput, approvals: readonly StoredApproval[], nowMs: number): number {
  const { calls, steps, failures } = openRequirements(output);
  const isOpen = ({ requirement }: OpenCall) =>
    awaitsPerson(asDecided(requirement.tool_execution, approvals));
  const ofSteps = steps
    .filter(({ requirement }) => !isTimedOut(requirement, nowMs))
    .map((step) => (step.questions.length > 0 ? 1 : step.calls.filter(isOpen).length));
  return calls.filter(isOpen).length + failures.length + ofSteps.reduce((sum, n) => sum + n, 0);
}

/** Whether a call of the run, or of a run within it, waits for this approval. */
export function waitsForApproval(output: StoredOutput, approvalId: string): boolean {
  const { calls, steps } = openRequirements(output);
  return [...calls, ...steps.flatMap((step) => step.calls)].some(
    ({ requirement }) => requirement.tool_execution.approval_id === approvalId,
  );
}

function asDecided(call: ToolExecution, approvals: readonly StoredApproval[]): ToolExecution {
  const decided = approvals.filter(({ status }) => status === "approved" || status === "rejected");
  const byId = new Map(decided.map((approval) => [approval.id, approval]));
  const isDecided = call.approval_id !== null && byId.has(call.approval_id);
  return isDecided ? applyApproval(call, byId, {}) : call;
}
