import { createHash } from "node:crypto";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { StoredResult } from "../../schemas/runs/stored-result.ts";
import type { ModelWindow } from "../model/windows.ts";
import type { Execution } from "../run/execution.ts";
import { isResultTool } from "../tool/result-tool-names.ts";
import { envelopeOf } from "./envelope.ts";

/** How large results of tools are kept out of the prompt. */
export type OffloadSettings = {
  readonly threshold_chars?: number | undefined;
  readonly preview_lines?: number | undefined;
  readonly preview_chars?: number | undefined;
  /** Accepted and without effect: results are kept as long as their session. */
  readonly ttl_seconds?: number | null | undefined;
  /** Whether the answers of a team's members are kept out of the leader's prompt too. */
  readonly member_responses?: boolean | undefined;
};

const DEFAULT_THRESHOLD = 16_000;
const LOWEST_THRESHOLD = 2_000;
const HIGHEST_THRESHOLD = 40_000;

/**
 * From how many characters on a result is kept out of the prompt.
 *
 * @param setting  of the agent; undefined where it says nothing
 * @returns undefined where none is
 */
export function thresholdOf(
  setting: boolean | OffloadSettings | undefined,
  window: ModelWindow | undefined,
): number | undefined {
  if (setting === false) return undefined;
  if (setting === true) return DEFAULT_THRESHOLD;
  if (setting?.threshold_chars !== undefined) return setting.threshold_chars;
  if (setting !== undefined || !window) return DEFAULT_THRESHOLD;
  const share = Math.floor(window.tokens * 0.05) * 4;
  return Math.min(HIGHEST_THRESHOLD, Math.max(LOWEST_THRESHOLD, share));
}

/** The id of a call's result. A call that is made again, by another process, has the same. */
export const resultIdOf = (session_id: string, run_id: string, tool_call_id: string): string =>
  `res_${sha256(`${session_id}:${run_id}:${tool_call_id}`).slice(0, 10)}`;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A result as it is stored. */
export function storedResultOf(result_id: string, text: string, stored: boolean): StoredResult {
  const lines = text.split("\n").length;
  return { result_id, lines, chars: text.length, digest: sha256(text).slice(0, 16), stored };
}

/**
 * A completed call, its result stored and replaced by head and tail where it is large. What ends the run as its answer stays, and so
 * does what a tool read out of a stored result.
 *
 * @decided  Where the store fails, the result stays whole: the run goes on.
 */
export async function offloadResult(call: ToolExecution, execution: Execution): Promise<ToolExecution> {
  const { agent, ports, request, spec } = execution;
  const { result } = call;
  const setting = agent.offload_tool_results;
  const threshold = thresholdOf(setting, ports.models.windowOf?.(spec));
  if (!ports.results || result === null || threshold === undefined || result.length <= threshold) return call;
  if (call.stop_after_tool_call || isResultTool(call.tool_name) || call.stored_result) return call;
  const sizes = typeof setting === "object" ? setting : {};
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
