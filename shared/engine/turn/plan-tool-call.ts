import * as v from "valibot";
import { issueText } from "../../schemas/values/issue-text.ts";
import type { Execution } from "../run/execution.ts";
import type { Tool } from "../tool/tool.ts";

export type ToolCallPlan =
  | { readonly runs: true; readonly tool: Tool; readonly args: Record<string, unknown> }
  /** The model gets `reason` as the result, so that it can correct the call. */
  | { readonly runs: false; readonly reason: string };

/**
 * Decides whether a tool call can run.
 *
 * @param args      undefined when the model did not write a JSON object
 * @param position  how many calls the run made before this one
 * @param later     names of arguments that a person fills in later: their validation errors do not count
 */
export function planToolCall(
  { agent, tools }: Pick<Execution, "agent" | "tools">,
  name: string,
  args: Record<string, unknown> | undefined,
  position: number,
  later: readonly string[] = [],
): ToolCallPlan {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return refused(`There is no tool named ${name}.`);
  if (agent.tool_call_limit !== undefined && position >= agent.tool_call_limit) {
    return refused(`The limit of ${agent.tool_call_limit} tool calls is reached. Answer without this call.`);
  }
  if (!args) return refused(`The arguments of ${name} are not a JSON object that can be kept.`);
  const parsed = v.safeParse(tool.parameters, args);
  if (parsed.success) return { runs: true, tool, args: parsed.output };
  const errors = parsed.issues.filter(({ path }) => !later.includes(String(path?.[0]?.key)));
  if (errors.length === 0) return { runs: true, tool, args };
  const texts = errors.map((issue) => issueText(issue, "arguments"));
  return refused(`The arguments of ${name} are not valid: ${texts.join("; ")}`);
}

const refused = (reason: string): ToolCallPlan => ({ runs: false, reason });
