import type { ToolAnswer } from "../../schemas/runs/pause-answers.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { ApprovalResolution } from "../../stores/approvals/end-approvals.ts";
import type { PlacedCall } from "./approval-of.ts";
import { callKey, statusAfter } from "./approval-of.ts";
import { editDigest, isEdit } from "./edit-call.ts";
import type { PlacedAnswer } from "./enter-answers.ts";

/** An approval, and its resolution where the request that continues the run resolves it too. */
export type Decided = { readonly approval: StoredApproval; readonly resolution?: ApprovalResolution };

/**
 * Resolves the approvals of a paused run by an approver's answers, so that who may resolve them needs one request instead
 * of two.
 *
 * @param calls  those of the run
 * @param now    epoch seconds
 * @decided ours; an approval stays pending unless every one of its calls is answered
 */
export function decideOnContinue(
  approval: StoredApproval,
  answers: readonly PlacedAnswer[],
  calls: readonly PlacedCall[],
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
  const note = (refusal ?? relevant.find(({ confirmation_note }) => confirmation_note))?.confirmation_note;
  const edited = refusal ? {} : editsIn(relevant, calls);
  const resolution = {
    ...(Object.keys(edited).length > 0 && withEdits(approval, edited)),
    status: statusAfter(refusal),
    resolved_by,
    resolved_at: now,
    updated_at: now,
    ...(note != null && { resolution_data: { note } }),
  };
  return { approval: { ...approval, ...resolution }, resolution };
}

function editsIn(answers: readonly PlacedAnswer[], calls: readonly PlacedCall[]): EditedArgs {
  const edits = answers.flatMap((answer) => {
    const key = keyOf(answer);
    const placed = calls.find((one) => one.key === key);
    const { tool_args } = answer;
    return placed && isEdit(placed.call, tool_args) ? [[key, tool_args] as const] : [];
  });
  return Object.fromEntries(edits);
}

type EditedArgs = NonNullable<StoredApproval["edited_args"]>;

/** What an approval with other arguments than the proposed ones records: these, and digests that cover both. */
export const withEdits = ({ digests }: StoredApproval, edited_args: EditedArgs) => ({
  edited_args,
  digests: Object.fromEntries(
    Object.entries(digests).map(([key, asked]) => {
      const args = ownMember(edited_args, key);
      return [key, args ? editDigest(asked, args) : asked];
    }),
  ),
});

const keyOf = ({ tool_call_id, member_run_id }: PlacedAnswer): string => callKey(tool_call_id, member_run_id);

const isAnswer = ({ confirmed, result, user_input_schema, user_feedback_schema }: ToolAnswer): boolean =>
  confirmed != null || result != null || user_input_schema != null || user_feedback_schema != null;
