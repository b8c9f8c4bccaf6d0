import type { ToolAnswer } from "../../schemas/runs/tool-answer.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { ApprovalResolution } from "../../stores/approvals/record-resolution.ts";
import { callKey } from "./call-key.ts";
import type { PlacedAnswer } from "./tool-answers-of.ts";

/** An approval, and how it is settled together with the continuation that needs it. */
export type Decided = { readonly approval: StoredApproval; readonly resolution?: ApprovalResolution };

/**
 * Takes an admin's answers to a paused run for decisions on the approvals that it waits for: who may resolve them
 * need not do it in two requests.
 *
 * @param now  epoch seconds
 * @decided ours; where the answers do not speak of an approval's calls it stays pending
 */
export function decideOnContinue(
  approval: StoredApproval,
  answers: readonly PlacedAnswer[],
  resolved_by: string | null,
  now: number,
): Decided {
  const spoken = answers.filter((answer) => keyOf(answer) in approval.digests && speaks(answer));
  const allAnswered = Object.keys(approval.digests).every((key) =>
    spoken.some((answer) => keyOf(answer) === key),
  );
  if (approval.status !== "pending" || !allAnswered) return { approval };
  const refusal = spoken.find(({ confirmed }) => confirmed === false);
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

const speaks = ({ confirmed, result, user_input_schema, user_feedback_schema }: ToolAnswer): boolean =>
  confirmed != null || result != null || user_input_schema != null || user_feedback_schema != null;
