import * as v from "valibot";
import type { Message } from "../../schemas/runs/run.ts";
import type { StoredResults } from "../ports/stored-results.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { shownMessages } from "../run/shown-messages.ts";
import { HISTORY_SEARCH } from "../tool/offload-settings.ts";
import { defineTool, type Tool } from "../tool/tool.ts";
import { foldedIds } from "./fold-text.ts";
import { isOffered, markAsReader, searchParameters } from "./large-results.ts";
import { findIn, MAX_MATCHES } from "./search-text.ts";

const SEARCH_CHARS = 8_000;

/**
 * The execution with the tool that searches what has left the prompt, once a fold stands in it. The fold has changed the prompt
 * from its beginning, so that the tool breaks no cache that would have been read.
 */
export function withHistorySearch(state: RunState, execution: Execution): Execution {
  const { ports, request, tools } = execution;
  if (!ports.results || !isOffered(tools) || tools.some(({ name }) => name === HISTORY_SEARCH))
    return execution;
  const ids = readableIds(shownMessages(state, request));
  return ids.length === 0
    ? execution
    : { ...execution, tools: [...tools, historySearch(ports.results, ids)] };
}

/** Ids of what the folds in a prompt stand for, then of the results that are shown by their heads; none without a fold. */
function readableIds(shown: readonly Message[]): string[] {
  const folded = shown.flatMap(({ content = "" }) => foldedIds(content));
  if (folded.length === 0) return [];
  const results = shown.flatMap(({ stored_result }) =>
    stored_result?.stored ? stored_result.result_id : [],
  );
  return [...new Set([...folded, ...results])];
}

function historySearch(results: StoredResults, ids: readonly string[]): Tool {
  const tool = defineTool({
    name: HISTORY_SEARCH,
    description:
      "Search all of this conversation that is left out of it, and its long results, line by line and without regard to case.",
    parameters: v.object(searchParameters("words as they were written; several are separated by |")),
    effect: "safe",
    execute: ({ pattern, context_lines = 2 }) => searchAll(results, ids, pattern, context_lines),
  });
  markAsReader(tool);
  return tool;
}

/** The matches in stored texts, one text after the other, until they are as many as one answer shows. */
async function searchAll(
  results: StoredResults,
  ids: readonly string[],
  pattern: string,
  contextLines: number,
): Promise<string> {
  const literals = pattern.split("|").filter((literal) => literal.trim() !== "");
  if (literals.length === 0) throw new Error("The pattern has no words.");
  const expression = literals.map((literal) => escaped(literal.trim())).join("|");
  const parts: string[] = [];
  let chars = SEARCH_CHARS;
  let matches = MAX_MATCHES;
  for (const id of ids) {
    if (chars <= 0 || matches <= 0) break;
    const text = await results.get(id);
    const found =
      text === undefined
        ? undefined
        : findIn(text, expression, contextLines, { maxChars: chars, most: matches });
    if (!found || found.count === 0) continue;
    parts.push(`In ${id}:\n${found.shown}`);
    chars -= found.shown.length;
    matches -= found.matches;
  }
  return parts.length === 0 ? "No line matches." : parts.join("\n\n");
}

const escaped = (literal: string): string => literal.replaceAll(/[\\^$.*+?()[\]{}]/g, "\\$&");
