import type {
  LanguageModelV4File,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { AgentEventBody } from "../../schemas/runs/run-event.ts";
import type { GivenMedium } from "./given-medium.ts";
import { noUsage, type Usage, usageFrom } from "./usage.ts";

export type RequestedCall = {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
};

/** What a provider attached to a part of its answer and may want to see again with it. */
type Attached = NonNullable<Extract<LanguageModelV4StreamPart, { type: "tool-call" }>["providerMetadata"]>;

/** A part of an answer, in the order in which the provider began it. */
export type AnswerPart =
  | { readonly type: "text" | "reasoning"; readonly id: string; text: string; attached?: Attached }
  | { readonly type: "tool-call"; readonly attached?: Attached };

/** What was heard of one model call so far. */
export type StreamedAnswer = {
  text: string;
  reasoning: string;
  readonly calls: RequestedCall[];
  readonly parts: AnswerPart[];
  /** Files that the model made. */
  readonly files: GivenMedium[];
  usage: Usage;
  finished: boolean;
  /** Epoch milliseconds; null before the first word. */
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
 * Takes in one part of a model's stream and passes words on as events.
 *
 * @throws the fault that the service sent within its stream
 */
export function addStreamPart(
  heard: StreamedAnswer,
  part: LanguageModelV4StreamPart,
  ears: AnswerSink,
): void {
  switch (part.type) {
    case "stream-start":
      if (part.warnings.length > 0) ears.warn(part.warnings);
      return;
    case "text-start":
    case "text-end":
      attach(heard, "text", part);
      return;
    case "reasoning-start":
    case "reasoning-end":
      attach(heard, "reasoning", part);
      return;
    case "text-delta":
      attach(heard, "text", part).text += part.delta;
      heard.text += part.delta;
      speak(heard, part.delta, "", ears);
      return;
    case "reasoning-delta":
      attach(heard, "reasoning", part).text += part.delta;
      heard.reasoning += part.delta;
      speak(heard, "", part.delta, ears);
      return;
    case "tool-call":
      heard.calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
      heard.parts.push({
        type: "tool-call",
        ...(part.providerMetadata && { attached: part.providerMetadata }),
      });
      return;
    case "file":
      heard.files.push(fileOf(part));
      heard.firstTokenAtMs ??= ears.now();
      return;
    case "finish":
      heard.usage = usageFrom(part.usage);
      heard.finished = isWhole(part.finishReason);
      return;
    case "error":
      throw part.error;
  }
}

type BlockPart = { readonly id: string; readonly providerMetadata?: Attached };

/** The block that a part belongs to. What is attached last counts: providers repeat what they attached before. */
function attach({ parts }: StreamedAnswer, type: "text" | "reasoning", { id, providerMetadata }: BlockPart) {
  const known = parts.findLast((part) => part.type === type && part.id === id);
  // A tool call is never of this type; the compiler does not see it through the search.
  const block = known?.type === "tool-call" || !known ? { type, id, text: "" } : known;
  if (block !== known) parts.push(block);
  if (providerMetadata) block.attached = providerMetadata;
  return block;
}

function speak(
  heard: StreamedAnswer,
  content: string,
  reasoning_content: string,
  { emit, now }: AnswerSink,
): void {
  if (content === "" && reasoning_content === "") return;
  heard.firstTokenAtMs ??= now();
  emit({ event: "RunContent", content, content_type: "str", workflow_agent: false, reasoning_content });
}

function fileOf({ mediaType: mime_type, data }: LanguageModelV4File): GivenMedium {
  if (data.type === "url") return { mime_type, url: data.url.toString() };
  const bytes = typeof data.data === "string" ? Buffer.from(data.data, "base64") : data.data;
  return { mime_type, bytes };
}

/**
 * Whether an answer came to its end. A connection that breaks early still gives a finish part: newer providers call
 * it interrupted, the others have no reason to give.
 */
function isWhole({ unified, raw }: LanguageModelV4FinishReason): boolean {
  if (unified === "error" || unified === "interrupted") return false;
  return unified !== "other" || raw !== undefined;
}
