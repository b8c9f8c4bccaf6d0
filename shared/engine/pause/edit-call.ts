import { createHash } from "node:crypto";
import * as v from "valibot";
import { ServiceError } from "../../errors.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { issueText } from "../../schemas/values/issue-text.ts";
import { canonicalJson } from "../../schemas/values/json-values.ts";
import type { AgentSettings } from "../define/agent.ts";
import { budgetQuestionOf } from "../run/next-step.ts";
import { userInputFields } from "../tool/new-tool-call.ts";
import type { Tool } from "../tool/tool.ts";

type Arguments = Readonly<Record<string, unknown>>;

export const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** Whether an answer names other arguments than those that a call has, or had before a person edited it. */
export const isEdit = (call: ToolExecution, args: Arguments | null | undefined): args is Arguments =>
  args != null && !isSame(args, call.tool_args) && !isSame(args, call.proposed_args);

/**
 * A call with a person's arguments in place of the model's, which it keeps as `proposed_args`.
 *
 * @throws ServiceError BAD_REQUEST where the call does not wait for a confirmation, its tool may not be edited or is not
 *         known here, or its schema refuses an argument, which the message names
 */
export function editedCall(call: ToolExecution, args: Arguments, { tools }: AgentSettings): ToolExecution {
  const { tool_call_id, tool_name } = call;
  const tool = tools.find(({ name }) => name === tool_name);
  const why = reasonAgainst(call, tool);
  if (!tool || why !== undefined) {
    const text = `the arguments of ${tool_call_id} (${tool_name}) cannot be changed: ${why}`;
    throw new ServiceError("BAD_REQUEST", text);
  }
  requireValid(call, args, tool, userInputFields(tool));
  return { ...call, tool_args: { ...args }, proposed_args: call.proposed_args ?? call.tool_args };
}

function reasonAgainst(call: ToolExecution, tool: Tool | undefined): string | undefined {
  if (budgetQuestionOf(call)) return "the question is about a budget";
  if (!call.requires_confirmation) return "it does not wait for a confirmation";
  if (call.in_doubt !== undefined)
    return "it may have been made already; it is repeated as it was, or not at all";
  if (!tool) return "its tool is not one of the platform's own, so its schema is not known";
  return tool.editable === false ? "its tool says so" : undefined;
}

/**
 * Validates the values that a person has filled in, so that a mistake is answered to them and not to the model.
 *
 * @throws ServiceError BAD_REQUEST that names the field
 */
export function requireValidInput(call: ToolExecution, { tools }: AgentSettings): void {
  const tool = tools.find(({ name }) => name === call.tool_name);
  if (!tool || !call.answered || !call.user_input_schema) return;
  const filled = call.user_input_schema.map(({ name, value }) => [String(name), value]);
  requireValid(call, { ...call.tool_args, ...Object.fromEntries(filled) }, tool, []);
}

/** @param later  names of arguments that are filled in later */
function requireValid(
  { tool_call_id, tool_name }: ToolExecution,
  args: Arguments,
  tool: Tool,
  later: readonly string[],
): void {
  const parsed = v.safeParse(tool.parameters, args);
  const issues = (parsed.issues ?? []).filter(({ path }) => !later.includes(String(path?.[0]?.key)));
  if (issues.length === 0) return;
  const texts = issues.map((issue) => issueText(issue, "arguments"));
  throw new ServiceError("BAD_REQUEST", `${tool_call_id} (${tool_name}): ${texts.join("; ")}`);
}

/** The digest of an edited call: of what was asked, and of what runs instead. */
export const editDigest = (asked: string, tool_args: Arguments): string =>
  createHash("sha256").update(canonicalJson({ asked, tool_args })).digest("base64url");
