import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";

/**
 * The answer to a call that needs no execution here, because a person or a client executed it, answered in its place,
 * or refused it.
 *
 * @returns undefined for a call that is to run
 * @source  docs/interface/runs.md 7.2
 */
export function answerByPerson(call: ToolExecution): ToolAnswer | undefined {
  if (call.result !== null) return { text: call.result, failed: call.tool_call_error === true };
  if (call.confirmed === false) return call.in_doubt === undefined ? refusal(call) : resultFromNote(call);
  if (call.user_feedback_schema && call.answered)
    return { text: feedback(call.user_feedback_schema), failed: false };
  return undefined;
}

const refusal = ({ confirmation_note: note }: ToolExecution): ToolAnswer => ({
  text: note ? `A person refused this call: ${note}` : "A person refused this call; it was not executed.",
  failed: true,
});

/** A person who refuses a second start may know how the first one ended, and write it as a note. */
const resultFromNote = ({ confirmation_note: note }: ToolExecution): ToolAnswer =>
  note
    ? { text: note, failed: false }
    : { text: "It is not known whether this call happened; it was not repeated.", failed: true };

const feedback = (questions: NonNullable<ToolExecution["user_feedback_schema"]>): string =>
  JSON.stringify(questions.map(({ question, selected_options }) => ({ question, selected_options })));
