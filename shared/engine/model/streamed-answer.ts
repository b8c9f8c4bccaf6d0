import type {
  LanguageModelV4File,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { FinishReason } from "../../schemas/runs/finish-reason.ts";
import type { AgentEventBody } from "../../schemas/runs/run-event.ts";
import { isObject, parsedJson } from "../../schemas/values/json-values.ts";
import { isStorable } from "../../schemas/values/storable.ts";
import type { GivenMedium } from "./given-medium.ts";
import { finishReasonIn, isUnreadableUsage } from "./unreadable-usage.ts";
import { noUsage, type Usage, usageFrom } from "./usage.ts";

export type RequestedCall = {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
};

/** Metadata that a provider attached to a part of its answer and may need back with it. */
type Attached = NonNullable<Extract<LanguageModelV4StreamPart, { type: "tool-call" }>["providerMetadata"]>;

/** A part of an answer, in the order in which the provider began it. */
export type AnswerPart =
  | { readonly type: "text" | "reasoning"; readonly id: string; text: string; attached?: Attached }
  | { readonly type: "tool-call"; readonly attached?: Attached };

/** How the service of a model names an answer. */
export type AnsweredAs = { readonly id?: string; readonly model?: string };

/** The answer of one model call so far. */
export type StreamedAnswer = {
  text: string;
  reasoning: string;
  readonly calls: RequestedCall[];
  readonly parts: AnswerPart[];
  /** Files that the model made. */
  readonly files: GivenMedium[];
  usage: Usage;
  finished: boolean;
  /** Why the service ended the answer, where the model did not end it itself. */
  cut?: FinishReason;
  /** The reason on the wire; it counts where the package could not read the token counts. */
  sentReason?: LanguageModelV4FinishReason;
  hasUnreadableUsage?: true;
  /** How the service names the answer. */
  answeredAs?: AnsweredAs;
  /** Epoch milliseconds; null before the first token. */
  firstTokenAtMs: number | null;
};

type AnswerSink = {
  readonly emit: (body: AgentEventBody) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly warn: (warnings: readonly SharedV4Warning[]) => void;
};

export const newStreamedAnswer = (): StreamedAnswer => ({
  text: "",
  reasoning: "",
  calls: [],
  parts: [],
  files: [],
  usage: noUsage,
  finished: false,
  firstTokenAtMs: null,
});

/**
 * Adds one part of a model's stream to its answer, and emits text and reasoning as events.
 *
 * @throws the fault that the service sent within its stream
 */
export function addStreamPart(
  answer: StreamedAnswer,
  part: LanguageModelV4StreamPart,
  sink: AnswerSink,
): void {
  switch (part.type) {
    case "stream-start":
      if (part.warnings.length > 0) sink.warn(part.warnings);
      return;
    case "response-metadata": {
      const { id, modelId } = part;
      answer.answeredAs = { ...answer.answeredAs, ...(id && { id }), ...(modelId && { model: modelId }) };
      return;
    }
    case "text-start":
    case "text-end":
      attach(answer, "text", part);
      return;
    case "reasoning-start":
    case "reasoning-end":
      attach(answer, "reasoning", part);
      return;
    case "text-delta":
      attach(answer, "text", part).text += part.delta;
      answer.text += part.delta;
      emitDelta(answer, part.delta, "", sink);
      return;
    case "reasoning-delta":
      attach(answer, "reasoning", part).text += part.delta;
      answer.reasoning += part.delta;
      emitDelta(answer, "", part.delta, sink);
      return;
    case "tool-call":
      // What the service runs itself, such as its search, is no call of the agent's.
      if (part.providerExecuted) return;
      answer.calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
      answer.parts.push({
        type: "tool-call",
        ...(part.providerMetadata && { attached: part.providerMetadata }),
      });
      return;
    case "file":
      answer.files.push(fileOf(part));
      answer.firstTokenAtMs ??= sink.now();
      return;
    case "raw":
      noteReason(answer, part.rawValue);
      return;
    case "finish": {
      const reason = (answer.hasUnreadableUsage && answer.sentReason) || part.finishReason;
      answer.usage = usageFrom(part.usage);
      answer.finished = isComplete(reason);
      setCut(answer, reason);
      return;
    }
    case "error":
      if (!isUnreadableUsage(part.error)) throw part.error;
      answer.hasUnreadableUsage = true;
      return;
  }
}

type BlockPart = { readonly id: string; readonly providerMetadata?: Attached };

/** The block that a part belongs to. The metadata attached last counts: providers repeat what they attached before. */
function attach({ parts }: StreamedAnswer, type: "text" | "reasoning", { id, providerMetadata }: BlockPart) {
  const known = parts.findLast((part) => part.type === type && part.id === id);
  // A tool call is never of this type; the compiler cannot infer that from the search.
  const block = known?.type === "tool-call" || !known ? { type, id, text: "" } : known;
  if (block !== known) parts.push(block);
  if (providerMetadata) block.attached = providerMetadata;
  return block;
}

function emitDelta(
  answer: StreamedAnswer,
  content: string,
  reasoning_content: string,
  { emit, now }: AnswerSink,
): void {
  if (content === "" && reasoning_content === "") return;
  answer.firstTokenAtMs ??= now();
  emit({ event: "RunContent", content, content_type: "str", workflow_agent: false, reasoning_content });
}

function fileOf({ mediaType: mime_type, data }: LanguageModelV4File): GivenMedium {
  if (data.type === "url") return { mime_type, url: data.url.toString() };
  const bytes = typeof data.data === "string" ? Buffer.from(data.data, "base64") : data.data;
  return { mime_type, bytes };
}

function noteReason(answer: StreamedAnswer, chunk: unknown): void {
  const reason = finishReasonIn(chunk);
  if (reason) answer.sentReason = reason;
}

/** Sets why an answer was cut; an answer that the model ended, with or without calls, was not. */
function setCut(answer: StreamedAnswer, { unified }: LanguageModelV4FinishReason): void {
  if (unified === "length" || unified === "content-filter") answer.cut = unified;
}

/**
 * Whether an answer is complete. A connection that breaks early still gives a finish part: newer providers mark it as
 * interrupted, the others give no reason.
 */
function isComplete({ unified, raw }: LanguageModelV4FinishReason): boolean {
  if (unified === "error" || unified === "interrupted") return false;
  return unified !== "other" || raw !== undefined;
}

/**
 * Reads the arguments of a tool call as the model wrote them.
 *
 * @param text JSON; some services send an empty text when there are no arguments
 * @returns undefined when the text is not a JSON object, or one that the record of the run could not hold
 */
export function parseArguments(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  const value = parsedJson(text);
  return isObject(value) && isStorable(value) ? value : undefined;
}

const OPENING = "Your answer does not have the required form.";

/** The message to a model whose answer has the wrong form. */
export const correctionText = (reason: string): string =>
  `${OPENING} ${reason}\nAnswer again, with the corrected JSON alone.`;

/** The message to a model whose answer broke off; what it has said is shown before it. */
export const GO_ON = "Your answer broke off. Go on exactly where it ended, without repeating any of it.";

/** Whether a message is the platform's own, and not a person's. */
export const isCorrection = (text: string): boolean => text.startsWith(OPENING) || text === GO_ON;
