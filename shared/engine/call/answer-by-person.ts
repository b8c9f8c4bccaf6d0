import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";

/**
 * The answer to a call that is settled without running it here, because somebody else ran it, answered in its place,
 * or refused it.
 *
 * @returns undefined for a call that is to run
 * @source  contract, runs-and-queue section 7, "How answers are given"
 */
export function answerByPerson(call: ToolExecution): ToolAnswer | undefined {
  if (call.result !== null) return { text: call.result, failed: call.tool_call_error === true };
  if (call.confirmed === false) return call.in_doubt === undefined ? refusal(call) : resultAsNoted(call);
  if (call.user_feedback_schema && call.answered)
    return { text: feedback(call.user_feedback_schema), failed: false };
  return undefined;
}

const refusal = ({ confirmation_note: note }: ToolExecution): ToolAnswer => ({
  text: note ? `A person refused this call: ${note}` : "A person refused this call; it was not executed.",
  failed: true,
});

/** Whoever says no to a second start may know how the first one ended. */
const resultAsNoted = ({ confirmation_note: note }: ToolExecution): ToolAnswer =>
  note
    ? { text: note, failed: false }
    : { text: "It is not known whether this call happened; it was not repeated.", failed: true };

const feedback = (questions: NonNullable<ToolExecution["user_feedback_schema"]>): string =>
  JSON.stringify(questions.map(({ question, selected_options }) => ({ question, selected_options })));
