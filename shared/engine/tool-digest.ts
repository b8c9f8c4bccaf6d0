import { createHash } from "node:crypto";
import { canonicalJson } from "../domain/canonical-json.ts";
import type { ToolExecution } from "../schemas/run.ts";
import type { AgentSettings } from "./agent.ts";
import { awaitsPerson } from "./run-state.ts";
import { toolParameters } from "./tool-parameters.ts";

/**
 * What a call would do: tool, arguments and the schema they are read by. Whoever answers has seen exactly this, so
 * what runs must match it.
 */
export function toolDigest({ tool_name, tool_args }: ToolExecution, { tools }: AgentSettings): string {
  const tool = tools.find(({ name }) => name === tool_name);
  const schema = tool ? toolParameters(tool) : null;
  return createHash("sha256").update(canonicalJson({ tool_name, tool_args, schema })).digest("base64url");
}

/** The digests of the calls that wait for a person, by their ids. */
export function digestsOf(tools: readonly ToolExecution[], agent: AgentSettings): Record<string, string> {
  const waiting = tools.filter(awaitsPerson);
  return Object.fromEntries(waiting.map((call) => [call.tool_call_id, toolDigest(call, agent)]));
}
