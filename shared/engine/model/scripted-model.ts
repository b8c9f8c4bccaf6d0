import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4Prompt,
  type LanguageModelV4StreamPart,
  type LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import type { Clock } from "../../runtime/clock.ts";
import { SCRIPTED_MODEL_ID } from "../../schemas/values/model-spec.ts";
import {
  type Directive,
  latestQuestionIndex,
  messageText,
  parseScript,
  questionText,
} from "./parse-script.ts";
import { parseArguments } from "./streamed-answer.ts";

const TEXT_ID = "text";
const REASONING_ID = "reasoning";

/**
 * Plays one model call. The answers after the latest user message of the prompt show which call of the run it is, so
 * the model needs no state between calls. Words count as tokens.
 *
 * @throws the signal's reason when it is aborted while sleeping
 */
export async function* playScript(
  options: LanguageModelV4CallOptions,
  sleep: Clock["sleep"],
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { prompt, abortSignal } = options;
  const turn = turnOf(prompt);
  let output = "";
  let thought = "";
  yield { type: "stream-start", warnings: [] };
  const changes = [...memoryCalls(options), ...learningCalls(options)];
  if (changes.length > 0) {
    yield* changes;
    yield finish(prompt, changes.map(({ input }) => input).join(" "), "tool-calls");
    return;
  }
  const mayCall = options.toolChoice?.type !== "none";
  for (const directive of turn.directives) {
    if (directive.do === "sleep") await sleep(directive.ms, abortSignal);
    if (directive.do === "think") {
      thought += directive.text;
      yield* reasoningParts(inDeltas(directive.text));
    }
    if (directive.do === "fail") {
      yield { type: "error", error: failure(directive.text) };
      return;
    }
    if (directive.do === "tool" && mayCall) {
      yield { type: "tool-call", toolCallId: turn.callId, toolName: directive.name, input: directive.input };
      yield finish(prompt, `${directive.name} ${directive.input}`, "tool-calls", thought);
      return;
    }
    if (directive.do === "answer") {
      output += directive.text;
      yield* textParts(inDeltas(directive.text));
    }
    if (directive.do === "tokens") {
      const deltas = wordsUpTo(directive.count);
      output += deltas.join("");
      yield* textParts(deltas);
    }
  }
  if (output === "") {
    yield* textParts(inDeltas(turn.answer));
    output = turn.answer;
  }
  yield finish(prompt, output, "stop", thought);
}

type Turn = { readonly directives: readonly Directive[]; readonly callId: string; readonly answer: string };

function turnOf(prompt: LanguageModelV4Prompt): Turn {
  const latest = latestQuestionIndex(prompt);
  const script = parseScript(questionText(prompt[latest]));
  const since = prompt.slice(latest + 1);
  const call = since.filter(({ role }) => role === "assistant").length;
  const results = since.filter(({ role }) => role === "tool").map(messageText);
  return {
    directives: script.calls[call] ?? [],
    callId: `call_${call + 1}`,
    answer: results.length > 0 ? results.join("\n") : `You said: ${script.text}`,
  };
}

function* textParts(deltas: readonly string[]): Generator<LanguageModelV4StreamPart> {
  yield { type: "text-start", id: TEXT_ID };
  for (const delta of deltas) yield { type: "text-delta", id: TEXT_ID, delta };
  yield { type: "text-end", id: TEXT_ID };
}

function* reasoningParts(deltas: readonly string[]): Generator<LanguageModelV4StreamPart> {
  yield { type: "reasoning-start", id: REASONING_ID };
  for (const delta of deltas) yield { type: "reasoning-delta", id: REASONING_ID, delta };
  yield { type: "reasoning-end", id: REASONING_ID };
}

const wordsUpTo = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => (i === 0 ? "word1" : ` word${i + 1}`));

const MAX_DELTAS = 4;

/** Splits between words, so that the deltas joined are the text again. */
function inDeltas(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  const size = Math.ceil(words.length / MAX_DELTAS);
  return Array.from({ length: Math.min(MAX_DELTAS, words.length) }, (_, i) =>
    words.slice(i * size, (i + 1) * size).join(""),
  ).filter((delta) => delta !== "");
}

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;

function finish(
  prompt: LanguageModelV4Prompt,
  output: string,
  reason: "stop" | "tool-calls",
  thought = "",
): LanguageModelV4StreamPart {
  const input = prompt.reduce((sum, message) => sum + countWords(messageText(message)), 0);
  const text = countWords(output);
  const reasoning = countWords(thought);
  return {
    type: "finish",
    finishReason: { unified: reason, raw: undefined },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: text + reasoning, text, reasoning },
    },
  };
}

/** The same kind of error as that of a real service; the script would fail again. */
const failure = (message: string) =>
  new APICallError({
    message,
    url: "scripted:",
    requestBodyValues: {},
    statusCode: 500,
    isRetryable: false,
  });

/**
 * The tool calls by which the scripted model saves memories: one for each `[[remember:…]]` of the message, if the tools
 * for that are offered. The body is the text, or the tool's arguments as JSON; with a `memory_id` it replaces that one.
 */
function memoryCalls({ prompt, tools = [] }: LanguageModelV4CallOptions): LanguageModelV4ToolCall[] {
  if (!tools.some(({ name }) => name === "add_memory")) return [];
  const { calls } = parseScript(questionText(prompt[latestQuestionIndex(prompt)]));
  return calls.flat().flatMap((directive, i) => {
    if (directive.do !== "remember") return [];
    const args = parseArguments(directive.text) ?? { memory: directive.text };
    const toolName = "memory_id" in args ? "update_memory" : "add_memory";
    return [
      { type: "tool-call" as const, toolCallId: `call_${i + 1}`, toolName, input: JSON.stringify(args) },
    ];
  });
}

/**
 * The tool calls by which the scripted model records what it learned: one for each `[[learn:KIND {json}]]` of the
 * message, if a tool of that name is offered.
 */
function learningCalls({ prompt, tools = [] }: LanguageModelV4CallOptions): LanguageModelV4ToolCall[] {
  const { calls } = parseScript(questionText(prompt[latestQuestionIndex(prompt)]));
  return calls.flat().flatMap((directive, i) => {
    if (directive.do !== "learn" || !tools.some(({ name }) => name === directive.name)) return [];
    const { name: toolName, input } = directive;
    return [{ type: "tool-call" as const, toolCallId: `call_${i + 1}`, toolName, input }];
  });
}

/**
 * A model for trying out, tests and benchmarks: deterministic, without a network. It does what the directives in
 * the latest user message say (see `parse-script.ts`) and answers `You said: …` when there are none.
 */
export function createScriptedModel(sleep: Clock["sleep"]): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: SCRIPTED_MODEL_ID,
    supportedUrls: {},
    doStream: async (options) => ({ stream: ReadableStream.from(playScript(options, sleep)) }),
    doGenerate: (options) => generate(options, sleep),
  };
}

async function generate(
  options: LanguageModelV4CallOptions,
  sleep: Clock["sleep"],
): Promise<LanguageModelV4GenerateResult> {
  const calls: LanguageModelV4Content[] = [];
  let text = "";
  let thought = "";
  for await (const part of playScript(options, sleep)) {
    if (part.type === "text-delta") text += part.delta;
    if (part.type === "reasoning-delta") thought += part.delta;
    if (part.type === "tool-call") calls.push(part);
    if (part.type === "error") throw part.error;
    if (part.type === "finish") {
      const content: LanguageModelV4Content[] = [
        ...(thought === "" ? [] : [{ type: "reasoning" as const, text: thought }]),
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls,
      ];
      return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] };
    }
  }
  throw new Error("a script always ends with a finish or an error");
}
