import type { ToolAnswer } from "../../schemas/runs/tool-answer.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { ApprovalResolution } from "../../stores/approvals/end-approvals.ts";
import { callKey } from "./approval-of.ts";
import type { PlacedAnswer } from "./enter-answers.ts";

/** An approval, and its resolution where the request that continues the run resolves it too. */
export type Decided = { readonly approval: StoredApproval; readonly resolution?: ApprovalResolution };

/**
 * Resolves the approvals of a paused run by an approver's answers, so that who may resolve them needs one request instead
 * of two.
 *
 * @param now  epoch seconds
 * @decided ours; an approval stays pending unless every one of its calls is answered
 */
export function decideOnContinue(
  approval: StoredApproval,
  answers: readonly PlacedAnswer[],
  resolved_by: string | null,
  now: number,
): Decided {
  const relevant = answers.filter(
    (answer) => Object.hasOwn(approval.digests, keyOf(answer)) && isAnswer(answer),
  );
  const allAnswered = Object.keys(approval.digests).every((key) =>
    relevant.some((answer) => keyOf(answer) === key),
  );
  if (approval.status !== "pending" || !allAnswered) return { approval };
  const refusal = relevant.find(({ confirmed }) => confirmed === false);
  const note = refusal?.confirmation_note;
  const resolution = {
    status: refusal ? ("rejected" as const) : ("approved" as const),
    resolved_by,
    resolved_at: now,
    updated_at: now,
    ...(note != null && { resolution_data: { note } }),
  };
  return { approval: { ...approval, ...resolution }, resolution };
}

const keyOf = ({ tool_call_id, member_run_id }: PlacedAnswer): string => callKey(tool_call_id, member_run_id);

const isAnswer = ({ confirmed, result, user_input_schema, user_feedback_schema }: ToolAnswer): boolean =>
  confirmed != null || result != null || user_input_schema != null || user_feedback_schema != null;
