import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { Execution } from "../run/execution.ts";
import { knownWindow } from "../run/prompt-size.ts";
import { isTeamTool } from "../team/team-tool.ts";
import { envelopeOf } from "../tool/envelope.ts";
import { offloadSettings } from "../tool/offload-settings.ts";
import { resultIdOf, storedResultOf } from "../tool/result-id.ts";
import { isOffered, readsResults } from "./result-tools.ts";

/** Where the model's window is not known, and where the agent asks for it. */
const USUAL_THRESHOLD = 16_000;

/** Five percent of a window, at four characters a token. */
function thresholdOf({ agent, ...execution }: Execution): number {
  const window = knownWindow(execution);
  if (!window || agent.offload_tool_results === true) return USUAL_THRESHOLD;
  return Math.min(40_000, Math.max(2_000, window.tokens * 0.05 * 4));
}

/**
 * A completed call, its result stored and replaced by head and tail where it is large and its agent wants that, or larger than its tool allows. What ends the run as
 * its answer stays, and so does what a tool read out of a stored result.
 *
 * @decided  Where the store fails, the result stays whole: the run goes on.
 */
export async function offloadResult(call: ToolExecution, execution: Execution): Promise<ToolExecution> {
  const { agent, ports, request } = execution;
  const { result } = call;
  const isTooLong = result !== null && exceedsTool(result, call, execution);
  const sizes = offloadSettings(agent) ?? (isTooLong ? {} : undefined);
  if (!sizes || !ports.results || result === null || !mayLeave(call, execution)) return call;
  if (!isTooLong && result.length <= (sizes.threshold_chars ?? thresholdOf(execution))) return call;
  const id = resultIdOf(request, call.tool_call_id);
  try {
    const stored = storedResultOf(id, result, await ports.results.put(id, result));
    const envelope = envelopeOf(result, { ...stored, tool: call.tool_name }, sizes);
    return envelope.length < result.length ? { ...call, result: envelope, stored_result: stored } : call;
  } catch (error) {
    ports.signal.throwIfAborted();
    ports.warn?.("a large result could not be stored", { tool_name: call.tool_name, error });
    return call;
  }
}

/** Whether a result is longer than any model may be shown of its tool. */
function exceedsTool(result: string, { tool_name }: ToolExecution, { tools }: Execution): boolean {
  const most = tools.find(({ name }) => name === tool_name)?.max_result_bytes;
  return most !== undefined && Buffer.byteLength(result) > most;
}

function mayLeave({ tool_name, stop_after_tool_call, stored_result }: ToolExecution, execution: Execution) {
  const { agent, tools } = execution;
  const tool = tools.find(({ name }) => name === tool_name);
  if (stop_after_tool_call || stored_result || !isOffered(tools) || (tool && readsResults(tool)))
    return false;
  const isAnswer = tool !== undefined && isTeamTool(tool);
  return !isAnswer || offloadSettings(agent)?.member_responses === true;
}
