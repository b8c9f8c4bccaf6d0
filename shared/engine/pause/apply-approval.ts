import { ServiceError } from "../../errors.ts";
import type { Approval } from "../../schemas/runs/approval.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { ToolAnswer } from "../../schemas/runs/tool-answer.ts";
import { ownMember } from "../../schemas/values/own-member.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { AgentSettings } from "../define/agent.ts";
import { awaitsPerson } from "../run/next-step.ts";
import { fillInputs } from "./apply-answers.ts";
import { editedCall } from "./edit-call.ts";
import { toolDigest } from "./tool-digest.ts";

/**
 * Enters the decision of a call's approval in the call. An approval allows a call and does not command it: who continues
 * the run may still say no to it, but a yes to what was rejected changes nothing.
 *
 * @param by       who made the call: as `agent` for the comparison of its tool, undefined where other code executes it,
 *                 which compares the tool itself; as `editor` for the arguments that the approver gave it
 * @param key      names the call in the approval; see `callKey`
 * @param refusal  the no of the request that continues the run, if it has one for this call
 * @throws ServiceError CONFLICT while the approval is pending or expired, when it is gone, or when the call is no
 *         longer what was approved
 * @source docs/interface/approvals.md 3.1
 */
export function applyApproval(
  call: ToolExecution,
  approvals: ReadonlyMap<string, StoredApproval>,
  { agent, editor }: { readonly agent?: AgentSettings | undefined; readonly editor?: AgentSettings },
  key = call.tool_call_id,
  refusal?: Pick<ToolAnswer, "confirmation_note">,
): ToolExecution {
  if (call.approval_type !== "required" || !awaitsPerson(call)) return call;
  const approval = call.approval_id === null ? undefined : approvals.get(call.approval_id);
  if (!approval) {
    throw new ServiceError(
      "CONFLICT",
      `the approval that ${call.tool_name} waits for is gone; cancel the run`,
    );
  }
  if (approval.status === "rejected") return refused(call, approval);
  if (approval.status !== "approved") {
    throw new ServiceError("CONFLICT", `approval ${approval.id} is ${approval.status}; resolve it first`);
  }
  if (refusal) return { ...call, confirmed: false, confirmation_note: refusal.confirmation_note ?? null };
  const args = ownMember(approval.edited_args ?? {}, key);
  const edited = args ? (editor ? editedCall(call, args, editor) : { ...call, tool_args: args }) : call;
  if (agent && ownMember(approval.digests, key) !== toolDigest(edited, agent)) {
    throw new ServiceError(
      "CONFLICT",
      `${call.tool_name} is not what was approved any more: the tool has changed since`,
    );
  }
  return approved(edited, approval);
}

function refused(call: ToolExecution, { resolution_data }: Approval): ToolExecution {
  const note = resolution_data?.note ?? resolution_data?.feedback;
  return { ...call, confirmed: false, confirmation_note: typeof note === "string" ? note : null };
}

function approved(call: ToolExecution, { resolution_data }: Approval): ToolExecution {
  const data = resolution_data ?? {};
  const confirmed = call.requires_confirmation ? { ...call, confirmed: true } : call;
  const filled = confirmed.requires_user_input ? fillInputs(confirmed, valuesIn(data)) : confirmed;
  if (!filled.external_execution_required || data.result == null) return filled;
  return { ...filled, result: typeof data.result === "string" ? data.result : JSON.stringify(data.result) };
}

/** Field values stand at top level or under `values`. */
function valuesIn(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { values } = data;
  return values !== null && typeof values === "object" ? { ...data, ...values } : { ...data };
}
