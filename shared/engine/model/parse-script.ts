import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { isCorrection } from "./streamed-answer.ts";

/** One instruction to the scripted model. */
export type Directive =
  | { readonly do: "tool"; readonly name: string; readonly input: string }
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "tokens"; readonly count: number }
  | { readonly do: "fail"; readonly text: string }
  | { readonly do: "think"; readonly text: string }
  | { readonly do: "answer"; readonly text: string }
  | { readonly do: "remember"; readonly text: string }
  | { readonly do: "learn"; readonly name: string; readonly input: string };

export type Script = {
  /** What each model call of the run does, in order; the last one answers. */
  readonly calls: readonly (readonly Directive[])[];
  /** The message without its directives. */
  readonly text: string;
};

/**
 * Reads the directives in a message: `[[tool:NAME {json}]]`, `[[sleep:MS]]`, `[[tokens:N]]`, `[[think:TEXT]]`, `[[fail:TEXT]]`,
 * `[[answer:JSON]]`, `[[remember:TEXT]]`, `[[learn:KIND {json}]]`. A tool call, a failure or an answer ends a model call,
 * and what follows belongs to the next one.
 * Brackets that form no directive are text.
 */
export function parseScript(message: string): Script {
  const calls: Directive[][] = [[]];
  let text = "";
  let at = 0;
  for (let open = message.indexOf("[["); open !== -1; open = message.indexOf("[[", at)) {
    const found = directiveAt(message, open);
    text += message.slice(at, open) + (found ? "" : "[[");
    at = found ? found.end : open + 2;
    if (!found) continue;
    calls.at(-1)?.push(found.directive);
    if (endsCall.has(found.directive.do)) calls.push([]);
  }
  text += message.slice(at);
  return { calls, text: text.trim() };
}

const endsCall: ReadonlySet<Directive["do"]> = new Set(["tool", "fail", "answer"]);

const OPENING = /\[\[(tool|sleep|tokens|think|fail|answer|remember|learn):/y;

function directiveAt(message: string, at: number): { directive: Directive; end: number } | undefined {
  OPENING.lastIndex = at;
  const opening = OPENING.exec(message);
  if (!opening?.[1]) return undefined;
  const start = at + opening[0].length;
  const close = closingOf(message, start, opening[1]);
  if (close === -1) return undefined;
  const directive = directiveFrom(opening[1], message.slice(start, close).trim());
  return directive && { directive, end: close + 2 };
}

/** JSON may contain `]]`, so a directive with JSON ends at the first `]]` that completes it; else at the first one. */
function closingOf(message: string, start: number, name: string): number {
  const isCall = name === "tool" || name === "learn";
  const holdsJson = isCall || name === "answer" || name === "remember";
  const jsonIn = (body: string) => (isCall ? splitCall(body).input : body);
  const first = message.indexOf("]]", start);
  for (let close = first; holdsJson && close !== -1; close = message.indexOf("]]", close + 1)) {
    if (isJson(jsonIn(message.slice(start, close)))) return close;
  }
  return first;
}

function directiveFrom(name: string, body: string): Directive | undefined {
  if (name === "tool" || name === "learn") return { do: name, ...splitCall(body) };
  if (name === "think" || name === "fail" || name === "answer" || name === "remember")
    return { do: name, text: body };
  if (!/^\d+$/.test(body)) return undefined;
  return name === "sleep" ? { do: "sleep", ms: Number(body) } : { do: "tokens", count: Number(body) };
}

function splitCall(body: string): { name: string; input: string } {
  const [, name = "", input = ""] = /^(\S*)\s*([\s\S]*)$/.exec(body.trim()) ?? [];
  return { name, input: input === "" ? "{}" : input };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of a message; of a tool message, its results. */
export function messageText(message: LanguageModelV4Message | undefined): string {
  if (!message) return "";
  if (message.role === "system") return message.content;
  return message.content
    .map((part) => {
      if (part.type === "text") return part.text;
      if (part.type !== "tool-result") return "";
      const { output } = part;
      if (output.type === "content") return output.value.map(textIn).join("");
      return output.type === "text" || output.type === "error-text" ? output.value : "";
    })
    .join("");
}

/** The text of a question, without the context of its run: what is remembered or noted there is no script. */
export function questionText(message: LanguageModelV4Message | undefined): string {
  if (message?.role !== "user") return messageText(message);
  const isContext = (part: (typeof message.content)[number]): boolean =>
    part.type === "text" && part.text.startsWith("<context>\n");
  return messageText({ ...message, content: message.content.filter((part) => !isContext(part)) });
}

type ResultPart = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

const textIn = (part: ResultPart): string => (part.type === "text" ? part.text : "");

/** The index in a prompt of the message whose directives count; -1 when there is none. */
export const latestQuestionIndex = (prompt: LanguageModelV4Prompt): number =>
  prompt.findLastIndex((message) => message.role === "user" && !isCorrection(messageText(message)));
