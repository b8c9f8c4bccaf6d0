import type { Message } from "../../schemas/runs/run.ts";

const ARGS_CHARS = 200;
const SAID_CHARS = 240;
const RESULT_CHARS = 80;

const short = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
};

/** What happened in a part of a run, one line each: what was said, which tools were called, and how their results begin. */
function linesOf(messages: readonly Message[]): string[] {
  const results = new Map(messages.map((message) => [message.tool_call_id, message]));
  return messages.flatMap(({ role, content = "", tool_calls = [], from_history }) => {
    if (role === "user")
      return [`- ${from_history ? "earlier, the user" : "the user"}: ${short(content, SAID_CHARS)}`];
    if (role !== "assistant") return [];
    const said = content.trim() === "" ? [] : [`- you: ${short(content, SAID_CHARS)}`];
    const called = tool_calls.map(({ id, function: { name, arguments: args } }) => {
      const result = results.get(id);
      const where = result?.stored_result?.stored ? ` (${result.stored_result.result_id})` : "";
      const head = result ? ` → ${short(result.content ?? "", RESULT_CHARS)}${where}` : "";
      return `- ${name}(${short(args, ARGS_CHARS)})${head}`;
    });
    return [...said, ...called];
  });
}

type FoldParts = {
  /** Ids of the stored texts that hold the messages whole. */
  readonly ids: readonly string[];
  /** Most characters. */
  readonly chars: number;
  readonly summary?: string | undefined;
};

/**
 * What stands in a prompt for the beginning of a run: a summary, else a list. The list's newest lines are kept; how many older ones are
 * not is said, so that nothing is left out unseen.
 */
export function foldText(messages: readonly Message[], { ids, chars, summary }: FoldParts): string {
  const how =
    ids.length === 0
      ? "It cannot be read again."
      : `It is stored whole: search_result and read_result find everything in ${ids.join(", ")}.`;
  const opening = `[The beginning of this conversation, ${messages.length} messages, is left out here. ${how} What happened in it:]`;
  if (summary !== undefined) return [opening, summary, ...storedIn(messages)].join("\n");
  const lines = linesOf(messages);
  let length = opening.length;
  let from = lines.length;
  while (from > 0 && length + (lines[from - 1]?.length ?? 0) + 1 < chars) {
    from -= 1;
    length += (lines[from]?.length ?? 0) + 1;
  }
  const left = from === 0 ? [] : [`- … ${from} earlier lines are left out`];
  return [opening, ...left, ...lines.slice(from)].join("\n");
}

/** The ids of the texts that hold what a fold stands for; none where the text is no fold, or nothing of it can be read again. */
export const foldedIds = (content: string): string[] => {
  const opening = /^\[The beginning of this conversation, \d+ messages, is left out here\. [^\]]*\]/.exec(
    content,
  );
  return opening?.[0].match(/res_[0-9a-f]{10}/g) ?? [];
};

const MOST_RESULTS = 20;

/** The newest results that were stored, which a summary may not name. */
function storedIn(messages: readonly Message[]): string[] {
  const stored = messages.flatMap(({ tool_name, stored_result }) =>
    stored_result?.stored ? `${stored_result.result_id} (${tool_name})` : [],
  );
  return stored.length === 0 ? [] : [`Stored results: ${stored.slice(-MOST_RESULTS).join(", ")}`];
}

/** Longest stored text; a longer conversation has several. */
const PART_CHARS = 2_000_000;

/** The messages whole, as texts that tools can search line by line. @param chars longest text, unless a message is longer */
export function archiveTexts(messages: readonly Message[], chars: number = PART_CHARS): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const [at, message] of messages.entries()) {
    const text = archived(message, at);
    if (length + text.length > chars && part.length > 0) {
      parts.push(part.join("\n\n"));
      part = [];
      length = 0;
    }
    part.push(text);
    length += text.length;
  }
  return [...parts, part.join("\n\n")];
}

function archived({ role, content = "", tool_calls = [], tool_name }: Message, at: number): string {
  const calls = tool_calls.map(({ function: { name, arguments: args } }) => `calls ${name}(${args})`);
  const who = role === "tool" ? `result of ${tool_name}` : role;
  return [`[${at + 1}] ${who}:`, ...(content === "" ? [] : [content]), ...calls].join("\n");
}
