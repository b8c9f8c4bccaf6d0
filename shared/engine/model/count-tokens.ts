import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { RequestedCall } from "./streamed-answer.ts";
import type { Usage } from "./usage.ts";

type Model = { readonly id: string; readonly provider: string };

/** Of what the platform counts itself: a picture, or another file. */
export const TOKENS_OF_FILE = 1_600;

/** Where no call of a model has been counted yet. A token of English text has about four bytes. */
const TOKENS_PER_BYTE = 1 / 3;

/** How far a text may be from those that were measured. */
const MARGIN = 1.25;

/** Longer pieces of a text without blanks take the tokenizer quadratic time. */
const PIECE = 1_024;

/** Tokens per byte, by model, as its service counted the calls of this process. */
const measured = new Map<string, number>();

const keyOf = ({ provider, id }: Model): string => `${provider}:${id}`;

/**
 * The tokenizer of a model; undefined where none is kept for its family.
 *
 * Its table is a chunk of 2.4 MB, which a function loads when it has to count.
 */
async function tokenizerOf({ provider, id }: Model): Promise<((text: string) => number) | undefined> {
  if (provider !== "OpenAI" && !/(?:^|[/.])(?:gpt-|o\d)/.test(id)) return undefined;
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // What a user writes is text, also where it looks like the marks between messages.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}

/** Counts the tokens of a text as a model does: by its family's tokenizer, else by what its service has counted so far. */
export async function countTokens(text: string, model: Model): Promise<number> {
  const count = await tokenizerOf(model);
  if (!count) return Math.ceil(Buffer.byteLength(text) * (measured.get(keyOf(model)) ?? TOKENS_PER_BYTE));
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE) tokens += count(text.slice(at, at + PIECE));
  return tokens;
}

/**
 * The most tokens that a text may have: counted, or measured with a margin. Before anything was measured no token is
 * shorter than a byte.
 */
export async function mostTokens(text: string, model: Model): Promise<number> {
  const bytes = Buffer.byteLength(text);
  const isCounted = (await tokenizerOf(model)) !== undefined;
  if (!isCounted && !measured.has(keyOf(model))) return bytes;
  return Math.min(bytes, Math.ceil((await countTokens(text, model)) * (isCounted ? 1 : MARGIN)));
}

/** No text has fewer tokens per byte; what a service counts may be wrong. */
const FEWEST_PER_BYTE = 1 / 8;

/** Remembers what a service has counted. Later calls weigh more than the first ones. The scripted model counts words. */
function measure(model: Model, bytes: number, tokens: number): void {
  if (model.provider === "Scripted") return;
  const before = measured.get(keyOf(model));
  const now = Math.min(1, Math.max(FEWEST_PER_BYTE, tokens / bytes));
  measured.set(keyOf(model), before === undefined ? now : (before + now) / 2);
}

/** A model call, and what came back. */
export type CountedCall = Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "responseFormat"> & {
  /** Text and reasoning of the answer. */
  readonly answer: string;
  readonly calls: readonly RequestedCall[];
};

/**
 * The usage of a call: as the service has counted it, or as counted here where it has not.
 *
 * @param reported  0 where the service did not say, or said what cannot be
 */
export async function countedUsage(reported: Usage, call: CountedCall, model: Model): Promise<Usage> {
  const { text, files } = promptText(call);
  if (reported.input_tokens > 0 && files === 0) {
    measure(model, Buffer.byteLength(text), reported.input_tokens);
  }
  const answer = call.answer + call.calls.map(({ name, arguments: args }) => name + args).join("");
  const isMissing = {
    input: reported.input_tokens === 0,
    output: reported.output_tokens === 0 && answer !== "",
  };
  if (!isMissing.input && !isMissing.output) return reported;
  const [input, output] = await Promise.all([countTokens(text, model), countTokens(answer, model)]);
  return {
    ...reported,
    ...(isMissing.input && { input_tokens: Math.max(1, input + files * TOKENS_OF_FILE) }),
    ...(isMissing.output && { output_tokens: Math.max(1, output) }),
    usage_estimated: true,
  };
}

/** What of a prompt is text, and how many files it holds. */
function promptText({ prompt, tools, responseFormat }: CountedCall): { text: string; files: number } {
  let files = 0;
  const text = JSON.stringify([prompt, tools, responseFormat], (_, value: unknown) => {
    if (!isFile(value)) return value;
    files += 1;
    return undefined;
  });
  return { text, files };
}

/** A part of a message, or of a tool's result, whose content is a file. */
const isFile = (value: unknown): boolean =>
  value !== null && typeof value === "object" && Reflect.get(value, "type") === "file";
