import * as v from "valibot";
import type { Execution } from "./execution.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { Tool } from "./tool.ts";

export type ToolCallPlan =
  | { readonly runs: true; readonly tool: Tool; readonly args: Record<string, unknown> }
  /** `reason` is told to the model, which may do better. */
  | { readonly runs: false; readonly reason: string };

/**
 * Decides whether a tool call can run.
 *
 * @param argumentsText  JSON, as the model wrote it
 * @param position       how many calls the run made before this one
 */
export function planToolCall(
  { agent, tools }: Pick<Execution, "agent" | "tools">,
  name: string,
  argumentsText: string,
  position: number,
): ToolCallPlan {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return refused(`There is no tool named ${name}.`);
  if (agent.tool_call_limit !== undefined && position >= agent.tool_call_limit) {
    return refused(`The limit of ${agent.tool_call_limit} tool calls is reached. Answer without this call.`);
  }
  const given = parseArguments(argumentsText);
  if (!given) return refused(`The arguments of ${name} are not a JSON object.`);
  const args = v.safeParse(tool.parameters, given);
  if (args.success) return { runs: true, tool, args: args.output };
  const faults = args.issues.map((issue) => `${v.getDotPath(issue) ?? "arguments"}: ${issue.message}`);
  return refused(`The arguments of ${name} are not valid: ${faults.join("; ")}`);
}

const refused = (reason: string): ToolCallPlan => ({ runs: false, reason });
