import { type OpenCallQuestion, openCallQuestions } from "../../domain/runs/open-requirements.ts";
import { ServiceError } from "../../errors.ts";
import type { Approval } from "../../schemas/runs/approval.ts";
import type { ToolAnswer } from "../../schemas/runs/pause-answers.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import type { StoredApproval } from "../../stores/approvals/approval-item.ts";
import type { AgentSettings } from "../define/agent.ts";
import { awaitsPerson } from "../run/next-step.ts";
import { editedCall, isEdit } from "./edit-call.ts";
import { toolDigest } from "./tool-digest.ts";

/**
 * Enters a client's answers in the calls of a paused run. An answer is a yes, a no, a value or a result; it changes
 * neither the tool nor its arguments. A call that needs an approval is answered by `applyApproval` instead.
 *
 * @throws ServiceError BAD_REQUEST for an answer to an unknown call, or with another tool or arguments than it has
 * @source docs/interface/runs.md 7.2
 */
export function applyAnswers(
  tools: readonly ToolExecution[],
  answers: readonly ToolAnswer[],
): ToolExecution[] {
  const byId = new Map(answers.map((answer) => [answer.tool_call_id, answer]));
  for (const { tool_call_id } of answers) {
    if (!tools.some((call) => call.tool_call_id === tool_call_id)) {
      throw new ServiceError("BAD_REQUEST", `this run has no tool call ${tool_call_id}`);
    }
  }
  return tools.map((call) => {
    const answer = byId.get(call.tool_call_id);
    return answer ? answered(call, answer) : call;
  });
}

/**
 * @param field  of the form, in which this kind of run takes its answers
 * @throws ServiceError BAD_REQUEST that lists what is still open
 */
export function requireAnswers(tools: readonly ToolExecution[], field: string): void {
  const waiting = tools.filter(awaitsPerson);
  if (waiting.length === 0) return;
  const open = waiting.map((call) => `${call.tool_call_id} (${call.tool_name}): ${neededAnswers(call)}`);
  throw new ServiceError(
    "BAD_REQUEST",
    `the run waits for answers in ${field} that were not given: ${open.join("; ")}`,
  );
}

const answerForms = {
  confirmation: "confirmed=true or false",
  user_input: "a value for every field of user_input_schema",
  user_feedback: "selected_options for every question of user_feedback_schema",
  external_execution: "result",
} as const satisfies Record<OpenCallQuestion, string>;

const neededAnswers = (call: ToolExecution): string =>
  openCallQuestions(call)
    .map((question) => answerForms[question])
    .join(", ");

function answered(call: ToolExecution, answer: ToolAnswer): ToolExecution {
  refuseChange(call, answer);
  return openCallQuestions(call).reduce((one, question) => enterAnswer[question](one, answer), call);
}

/** Clients send back what they were shown, so a call that was edited may be named by either of its arguments. */
function refuseChange(call: ToolExecution, { tool_name, tool_args }: ToolAnswer): void {
  const renamed = tool_name != null && tool_name !== call.tool_name;
  const changed = isEdit(call, tool_args);
  if (!renamed && !changed) return;
  throw new ServiceError(
    "BAD_REQUEST",
    `tool call ${call.tool_call_id} is not the one that waits: an answer may not change its ${renamed ? "tool" : "arguments"}`,
  );
}

/** A call with a person's yes or no, and why, whether the run's user gave it or an approver. */
const decided = (call: ToolExecution, confirmed: boolean, note: unknown): ToolExecution => ({
  ...call,
  confirmed,
  confirmation_note: typeof note === "string" ? note : null,
});

type EnterAnswer = (call: ToolExecution, answer: ToolAnswer) => ToolExecution;

const enterAnswer: Record<OpenCallQuestion, EnterAnswer> = {
  confirmation: (call, { confirmed, confirmation_note }) =>
    confirmed == null ? call : decided(call, confirmed, confirmation_note),
  user_input: (call, { user_input_schema, confirmed, confirmation_note }) =>
    call.remote_call && confirmed === false
      ? decided(call, confirmed, confirmation_note)
      : fillInputs(
          call,
          Object.fromEntries((user_input_schema ?? []).map(({ name, value }) => [name, value])),
        ),
  user_feedback: (call, { user_feedback_schema }) => fillFeedback(call, user_feedback_schema ?? []),
  external_execution: (call, { result, confirmed, confirmation_note }) => {
    if (result != null) return { ...call, result };
    return confirmed === false ? decided(call, confirmed, confirmation_note) : call;
  },
};

/** Fills in values by field name; the call counts as answered once every field has one. */
function fillInputs(call: ToolExecution, values: Readonly<Record<string, unknown>>): ToolExecution {
  const user_input_schema = (call.user_input_schema ?? []).map((field) => ({
    ...field,
    value: ownMember(values, String(field.name)) ?? field.value ?? null,
  }));
  return { ...call, user_input_schema, answered: user_input_schema.every(({ value }) => value !== null) };
}

function fillFeedback(
  call: ToolExecution,
  answers: NonNullable<ToolAnswer["user_feedback_schema"]>,
): ToolExecution {
  const chosen = new Map(answers.map(({ question, selected_options }) => [question, selected_options ?? []]));
  const user_feedback_schema = (call.user_feedback_schema ?? []).map((question) => ({
    ...question,
    selected_options: selected(question, chosen.get(String(question.question)) ?? []),
  }));
  const isAnswered = user_feedback_schema.every(({ selected_options }) => selected_options !== null);
  return { ...call, user_feedback_schema, answered: isAnswered };
}

/** @throws ServiceError BAD_REQUEST for an option that was not offered, or several where one was asked for */
function selected(question: Record<string, unknown>, choices: readonly string[]): string[] | null {
  const offered = Array.isArray(question.options) ? question.options.map((option) => option?.label) : [];
  const foreign = choices.find((choice) => offered.length > 0 && !offered.includes(choice));
  if (foreign !== undefined) {
    throw new ServiceError("BAD_REQUEST", `${foreign} is no option of the question ${question.question}`);
  }
  if (choices.length > 1 && question.multi_select === false) {
    throw new ServiceError("BAD_REQUEST", `the question ${question.question} takes one option`);
  }
  return choices.length > 0 ? [...choices] : null;
}

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
  const note = approval.resolution_data?.note ?? approval.resolution_data?.feedback;
  if (approval.status === "rejected") return decided(call, false, note);
  if (approval.status !== "approved") {
    throw new ServiceError("CONFLICT", `approval ${approval.id} is ${approval.status}; resolve it first`);
  }
  if (refusal) return decided(call, false, refusal.confirmation_note);
  const args = ownMember(approval.edited_args ?? {}, key);
  const edited = args ? (editor ? editedCall(call, args, editor) : { ...call, tool_args: args }) : call;
  if (agent && ownMember(approval.digests, key) !== toolDigest(edited, agent)) {
    throw new ServiceError(
      "CONFLICT",
      `${call.tool_name} is not what was approved any more: the tool has changed since`,
    );
  }
  return filledBy(edited.requires_confirmation ? decided(edited, true, note) : edited, approval);
}

/** An approved call with the values and the result that the approval brings. */
function filledBy(confirmed: ToolExecution, { resolution_data }: Approval): ToolExecution {
  const data = resolution_data ?? {};
  const filled = confirmed.requires_user_input ? fillInputs(confirmed, valuesIn(data)) : confirmed;
  if (!filled.external_execution_required || data.result == null) return filled;
  return { ...filled, result: typeof data.result === "string" ? data.result : JSON.stringify(data.result) };
}

/** Field values stand at top level or under `values`. */
function valuesIn(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { values } = data;
  return values !== null && typeof values === "object" ? { ...data, ...values } : { ...data };
}
