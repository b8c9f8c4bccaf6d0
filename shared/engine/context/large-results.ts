import * as v from "valibot";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { ModelWindow } from "../model/windows.ts";
import type { StoredResults } from "../ports/stored-results.ts";
import type { Execution } from "../run/execution.ts";
import { knownWindow } from "../run/prompt-size.ts";
import { isTeamTool } from "../team/team-tool.ts";
import { envelopeOf, wholeCharacters } from "../tool/envelope.ts";
import { isResultTool, type Offloading, offloadSettings } from "../tool/offload-settings.ts";
import { resultIdOf, storedResultOf } from "../tool/result-id.ts";
import { defineTool, type Tool } from "../tool/tool.ts";
import { searchText } from "./search-text.ts";

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

const MAX_PATTERN = 500;
const MAX_CONTEXT_LINES = 20;

/** What a model gives a search in a text. @param pattern  the description of its pattern */
export const searchParameters = (pattern: string) => ({
  pattern: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_PATTERN), v.description(pattern)),
  context_lines: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(MAX_CONTEXT_LINES),
      v.description("lines to show before and after each match; 2 when left out"),
    ),
  ),
});

const MAX_LINES = 400;
const MAX_CHARS = 16_000;
const SEARCH_CHARS = 8_000;

const whole = (least: number, text: string) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.description(text)));

/** The tools by which a model reads results that are kept out of its prompt. They read those of the run's own session. */
export function resultToolsFor(results: StoredResults, window?: ModelWindow): Tool[] {
  const load = async (id: string): Promise<string> => {
    const text = /^res_[0-9a-f]{10}$/.test(id) ? await results.get(id) : undefined;
    if (text === undefined) throw new Error(`There is no stored result ${id} in this session.`);
    return text;
  };
  const tools = [readResult(load, mostOf(window)), searchResult(load)];
  for (const tool of tools) markAsReader(tool);
  return tools;
}

const made = new WeakSet<Tool>();

/** Has a tool count as one of those that read what is kept out of the prompt. */
export const markAsReader = (tool: Tool): void => {
  made.add(tool);
};

/** Whether a tool reads what is kept out of the prompt: its results stay there. */
export const readsResults = (tool: Tool): boolean => made.has(tool);

/** Whether a run can read what is kept out of its prompt. */
export const isOffered = (tools: readonly Tool[]): boolean => tools.some(readsResults);

/**
 * The tools that read stored results, for an agent with these tools: none where they can give no large result, or where one of them
 * has the same name. Then results are shown whole.
 */
export function resultToolsBeside(
  tools: readonly Tool[],
  agent: Offloading,
  results: StoredResults | undefined,
  window?: ModelWindow,
): Tool[] {
  const isLimited = tools.some(({ max_result_bytes }) => max_result_bytes !== undefined);
  const settings = offloadSettings(agent) ?? (isLimited ? {} : undefined);
  const giving = tools.filter((tool) => settings?.member_responses || !isTeamTool(tool));
  if (!settings || !results || giving.length === 0) return [];
  return tools.some(({ name }) => isResultTool(name)) ? [] : resultToolsFor(results, window);
}

type Load = (id: string) => Promise<string>;

const ResultId = v.pipe(v.string(), v.description("the id of the result, such as res_0a1b2c3d4e"));

/** Characters that are read at once: a tenth of the window at most, at four a token. */
const mostOf = (window: ModelWindow | undefined): number =>
  window ? Math.min(MAX_CHARS, Math.max(1_000, Math.floor(window.tokens * 0.1 * 4))) : MAX_CHARS;

const readResult = (load: Load, most: number): Tool =>
  defineTool({
    name: "read_result",
    description:
      "Read a part of a long result of a tool that is shown with its head and tail alone. The answer says where to go on.",
    parameters: v.object({
      result_id: ResultId,
      start_line: whole(1, "the first line to read; 1 when left out"),
      end_line: whole(1, "the last line to read"),
      start_char: whole(1, "the character of the first line to begin at; 1 when left out"),
      max_chars: whole(1, `most characters to read; ${most} at most`),
    }),
    effect: "safe",
    execute: async ({ result_id, start_line = 1, end_line, start_char = 1, max_chars = most }) => {
      const text = await load(result_id);
      const last = Math.min(end_line ?? Number.POSITIVE_INFINITY, start_line + MAX_LINES - 1);
      return pageOf(text, { line: start_line, char: start_char, last, most: Math.min(max_chars, most) });
    },
  });

type Page = { readonly line: number; readonly char: number; readonly last: number; readonly most: number };

/** A part of a text, and where the next one begins. */
function pageOf(text: string, { line, char, last, most }: Page): string {
  const lines = text.split("\n");
  if (line > lines.length) throw new Error(`The result has ${lines.length} lines.`);
  const rest = [(lines[line - 1] ?? "").slice(char - 1), ...lines.slice(line, last)].join("\n");
  // One character at least, so that whoever goes on gets to the end.
  const shown = wholeCharacters(rest, 0, Math.max(2, most));
  const end = Math.min(last, lines.length);
  const read = shown.split("\n");
  const lastRead = line + read.length - 1;
  const tag = `<lines from="${line}" to="${lastRead}" of="${lines.length}">`;
  return `${tag}\n${shown}\n</lines>\n${nextOf()}`;

  function nextOf(): string {
    if (shown.length < rest.length) {
      const before = read.length === 1 ? char - 1 : 0;
      const at = before + (read.at(-1) ?? "").length + 1;
      return `Go on with start_line=${lastRead}, start_char=${at}.`;
    }
    return end < lines.length ? `Go on with start_line=${end + 1}.` : "This is the end.";
  }
}

const searchResult = (load: Load): Tool =>
  defineTool({
    name: "search_result",
    description:
      "Search a long result of a tool that is shown with its head and tail alone, line by line and without regard to case.",
    parameters: v.object({
      result_id: ResultId,
      ...searchParameters("a regular expression"),
    }),
    effect: "safe",
    execute: async ({ result_id, pattern, context_lines = 2 }) =>
      searchText(await load(result_id), pattern, context_lines, SEARCH_CHARS),
  });
