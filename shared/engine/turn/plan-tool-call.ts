import * as v from "valibot";
import { issueText } from "../../schemas/values/issue-text.ts";
import type { Execution } from "../run/execution.ts";
import type { Tool } from "../tool/tool.ts";

export type ToolCallPlan =
  | { readonly runs: true; readonly tool: Tool; readonly args: Record<string, unknown> }
  /** `reason` is told to the model, which may do better. */
  | { readonly runs: false; readonly reason: string };

/**
 * Decides whether a tool call can run.
 *
 * @param given     arguments; undefined when they were not even a JSON object
 * @param position  how many calls the run made before this one
 * @param later     names of arguments that a person has yet to fill in: their faults do not count
 */
export function planToolCall(
  { agent, tools }: Pick<Execution, "agent" | "tools">,
  name: string,
  given: Record<string, unknown> | undefined,
  position: number,
  later: readonly string[] = [],
): ToolCallPlan {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return refused(`There is no tool named ${name}.`);
  if (agent.tool_call_limit !== undefined && position >= agent.tool_call_limit) {
    return refused(`The limit of ${agent.tool_call_limit} tool calls is reached. Answer without this call.`);
  }
  if (!given) return refused(`The arguments of ${name} are not a JSON object that can be kept.`);
  const args = v.safeParse(tool.parameters, given);
  if (args.success) return { runs: true, tool, args: args.output };
  const faults = args.issues.filter(({ path }) => !later.includes(String(path?.[0]?.key)));
  if (faults.length === 0) return { runs: true, tool, args: given };
  const texts = faults.map((issue) => issueText(issue, "arguments"));
  return refused(`The arguments of ${name} are not valid: ${texts.join("; ")}`);
}

const refused = (reason: string): ToolCallPlan => ({ runs: false, reason });
