import { createHash } from "node:crypto";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredResult } from "../../schemas/runs/stored-result.ts";
import type { Execution } from "../run/execution.ts";
import { isTeamTool } from "../team/team-tool.ts";
import { offloadSettings } from "../tool/offload-settings.ts";
import { envelopeOf } from "./envelope.ts";
import { isOffered, readsResults } from "./result-tools.ts";

const DEFAULT_THRESHOLD = 16_000;

/** The id of a call's result. A call that is made again, by another process, has the same. */
export const resultIdOf = (session_id: string, run_id: string, tool_call_id: string): string =>
  `res_${sha256(`${session_id}:${run_id}:${tool_call_id}`).slice(0, 10)}`;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function storedResultOf(result_id: string, text: string, stored: boolean): StoredResult {
  const lines = text.split("\n").length;
  return { result_id, lines, chars: text.length, digest: sha256(text).slice(0, 16), stored };
}

/**
 * A completed call, its result stored and replaced by head and tail where it is large and its agent wants that. What ends the run as
 * its answer stays, and so does what a tool read out of a stored result.
 *
 * @decided  Where the store fails, the result stays whole: the run goes on.
 */
export async function offloadResult(call: ToolExecution, execution: Execution): Promise<ToolExecution> {
  const { agent, ports, request } = execution;
  const { result } = call;
  const sizes = offloadSettings(agent);
  if (!sizes || !ports.results || result === null || !mayLeave(call, execution)) return call;
  if (result.length <= (sizes.threshold_chars ?? DEFAULT_THRESHOLD)) return call;
  const id = resultIdOf(request.session_id, request.run_id, call.tool_call_id);
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

function mayLeave({ tool_name, stop_after_tool_call, stored_result }: ToolExecution, execution: Execution) {
  const { agent, tools } = execution;
  const tool = tools.find(({ name }) => name === tool_name);
  if (stop_after_tool_call || stored_result || !isOffered(tools) || (tool && readsResults(tool)))
    return false;
  const isAnswer = tool !== undefined && isTeamTool(tool);
  return !isAnswer || offloadSettings(agent)?.member_responses === true;
}
