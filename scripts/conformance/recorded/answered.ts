import * as v from "valibot";

/** What a model answered. */
export type Answered = {
  readonly text: string;
  /** Calls of the caller's own tools, `name(arguments)`, in their order. */
  readonly calls: readonly string[];
  /** Undefined where the service does not count. */
  readonly input_tokens: number | undefined;
  readonly output_tokens: number | undefined;
  /** Where the model did not end the answer itself. */
  readonly finish_reason: string | undefined;
  /** The service says within its stream that it fails. */
  readonly fails: boolean;
};

const text = v.optional(v.nullable(v.string()), "");
const count = v.optional(v.nullable(v.number()), 0);

/** @source OpenAI, API reference: Responses, streaming events */
const ResponsesChunk = v.object({
  type: v.optional(v.string()),
  delta: v.optional(v.unknown()),
  item: v.optional(
    v.object({
      type: v.string(),
      name: text,
      arguments: v.optional(v.unknown()),
      input: v.optional(v.unknown()),
    }),
  ),
  response: v.optional(
    v.object({
      usage: v.optional(v.nullable(v.object({ input_tokens: v.number(), output_tokens: v.number() }))),
      incomplete_details: v.optional(v.nullable(v.object({ reason: v.string() }))),
    }),
  ),
});

/** @source OpenAI, API reference: Chat, streaming */
const ChatChunk = v.object({
  choices: v.optional(
    v.array(
      v.object({
        delta: v.object({
          content: text,
          tool_calls: v.optional(
            v.array(v.object({ index: v.number(), function: v.object({ name: text, arguments: text }) })),
            [],
          ),
        }),
        finish_reason: v.optional(v.nullable(v.string())),
      }),
    ),
    [],
  ),
  usage: v.optional(v.nullable(v.object({ prompt_tokens: v.number(), completion_tokens: v.number() }))),
});

const AnthropicUsage = v.object({
  input_tokens: v.optional(v.nullable(v.number())),
  cache_creation_input_tokens: v.optional(v.nullable(v.number())),
  cache_read_input_tokens: v.optional(v.nullable(v.number())),
  output_tokens: count,
});
const AnthropicBlock = v.object({ type: v.string(), name: text, input: v.optional(v.unknown()) });
/** @source Anthropic, API reference: Messages, streaming */
const AnthropicChunk = v.object({
  type: v.string(),
  index: v.optional(v.number(), 0),
  message: v.optional(v.object({ usage: AnthropicUsage, content: v.optional(v.array(AnthropicBlock), []) })),
  content_block: v.optional(AnthropicBlock),
  delta: v.optional(
    v.object({ text, partial_json: v.optional(v.string()), stop_reason: v.optional(v.nullable(v.string())) }),
  ),
  usage: v.optional(AnthropicUsage),
});

/** @source Amazon Bedrock, API reference: ConverseStream */
const BedrockChunk = v.object({
  contentBlockStart: v.optional(
    v.object({
      contentBlockIndex: v.number(),
      start: v.object({ toolUse: v.optional(v.object({ name: v.string() })) }),
    }),
  ),
  contentBlockDelta: v.optional(
    v.object({
      contentBlockIndex: v.number(),
      delta: v.object({ text, toolUse: v.optional(v.object({ input: text })) }),
    }),
  ),
  messageStop: v.optional(v.object({ stopReason: v.string() })),
  metadata: v.optional(v.object({ usage: v.object({ inputTokens: v.number(), outputTokens: v.number() }) })),
});

const ends: Readonly<Record<string, string>> = {
  max_output_tokens: "length",
  length: "length",
  max_tokens: "length",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  guardrail_intervened: "content-filter",
  refusal: "content-filter",
};
const endOf = (reasons: readonly (string | null | undefined)[]): string | undefined =>
  ends[reasons.findLast((reason) => reason) ?? ""];

/** A part of a call, or the beginning of one, by its `name`: an empty name begins something else in its place. */
type CallPiece = {
  readonly index: number;
  readonly name?: string | undefined;
  readonly written?: string | undefined;
};

/** Calls whose arguments arrive in pieces. */
function callsIn(pieces: readonly CallPiece[]): string[] {
  const calls: { readonly name: string; written: string }[] = [];
  const open = new Map<number, (typeof calls)[number]>();
  for (const { index, name, written = "" } of pieces) {
    const call = name === undefined ? open.get(index) : { name, written: "" };
    if (!call) continue;
    if (name !== undefined) {
      open.set(index, call);
      calls.push(call);
    }
    call.written += written;
  }
  return calls.flatMap(({ name, written }) => (name === "" ? [] : [callText(name, written)]));
}

/** Without the blanks that a model may write between the parts of JSON. */
export function callText(name: string, written: string): string {
  try {
    return `${name}(${JSON.stringify(JSON.parse(written || "{}"))})`;
  } catch {
    return `${name}(${written})`;
  }
}

/** A custom tool takes a text in place of an object. */
function callOf(item: v.InferOutput<typeof ResponsesChunk>["item"]): string[] {
  if (item?.type === "function_call") return [callText(item.name ?? "", String(item.arguments))];
  return item?.type === "custom_tool_call" ? [callText(item.name ?? "", JSON.stringify(item.input))] : [];
}

function responses(all: readonly unknown[]): Answered {
  const chunks = v.parse(v.array(ResponsesChunk), all);
  const last = chunks.findLast(({ response }) => response)?.response;
  return {
    text: chunks
      .map(({ type, delta }) => (type === "response.output_text.delta" ? String(delta) : ""))
      .join(""),
    calls: chunks.flatMap(({ type, item }) => (type === "response.output_item.done" ? callOf(item) : [])),
    input_tokens: last?.usage?.input_tokens,
    output_tokens: last?.usage?.output_tokens,
    finish_reason: endOf([last?.incomplete_details?.reason]),
    fails: chunks.some(({ type }) => type === "response.failed" || type === "error"),
  };
}

function chatCompletions(all: readonly unknown[]): Answered {
  const chunks = v.parse(v.array(ChatChunk), all);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const usage = chunks.findLast((chunk) => chunk.usage)?.usage;
  return {
    text: choices.map(({ delta }) => delta.content ?? "").join(""),
    calls: callsIn(
      choices.flatMap(({ delta }) =>
        delta.tool_calls.map(({ index, function: { name, arguments: written } }) => ({
          index,
          // A service may repeat it as an empty text.
          ...(name && { name }),
          written: written ?? "",
        })),
      ),
    ),
    input_tokens: usage?.prompt_tokens,
    output_tokens: usage?.completion_tokens,
    finish_reason: endOf(choices.map(({ finish_reason }) => finish_reason)),
    fails: false,
  };
}

/** The beginning of a call, with its arguments where they come whole; an empty name for other blocks. */
function begun({ type, name, input }: v.InferOutput<typeof AnthropicBlock>, index: number): CallPiece {
  const written = JSON.stringify(input ?? {});
  return { index, name: type === "tool_use" ? (name ?? "") : "", written: written === "{}" ? "" : written };
}

function anthropicMessages(all: readonly unknown[]): Answered {
  const chunks = v.parse(v.array(AnthropicChunk), all);
  const usages = chunks.flatMap(({ message, usage }) => message?.usage ?? usage ?? []);
  const last = (name: keyof v.InferOutput<typeof AnthropicUsage>): number =>
    usages.findLast((usage) => typeof usage[name] === "number")?.[name] ?? 0;
  return {
    text: chunks.map(({ delta }) => delta?.text ?? "").join(""),
    calls: callsIn(
      chunks.flatMap(({ index, message, content_block, delta }) => [
        ...(message?.content ?? []).map((block) => begun(block, index)),
        ...(content_block ? [begun(content_block, index)] : []),
        { index, written: delta?.partial_json },
      ]),
    ),
    input_tokens:
      last("input_tokens") + last("cache_creation_input_tokens") + last("cache_read_input_tokens"),
    output_tokens: last("output_tokens"),
    finish_reason: endOf(chunks.map(({ delta }) => delta?.stop_reason)),
    fails: chunks.some(({ type }) => type === "error"),
  };
}

function bedrockConverse(all: readonly unknown[]): Answered {
  const chunks = v.parse(v.array(BedrockChunk), all);
  const usage = chunks.findLast(({ metadata }) => metadata)?.metadata?.usage;
  return {
    text: chunks.map(({ contentBlockDelta }) => contentBlockDelta?.delta.text ?? "").join(""),
    calls: callsIn(
      chunks.flatMap(({ contentBlockStart: begun, contentBlockDelta: added }) => [
        ...(begun ? [{ index: begun.contentBlockIndex, name: begun.start.toolUse?.name ?? "" }] : []),
        ...(added ? [{ index: added.contentBlockIndex, written: added.delta.toolUse?.input ?? "" }] : []),
      ]),
    ),
    input_tokens: usage?.inputTokens,
    output_tokens: usage?.outputTokens,
    finish_reason: endOf(chunks.map(({ messageStop }) => messageStop?.stopReason)),
    fails: false,
  };
}

/** What the chunks of a streamed answer say, by the documents of each service and without the SDK. */
export const answeredBy = {
  openai: responses,
  "openai-compatible": chatCompletions,
  anthropic: anthropicMessages,
  "amazon-bedrock": bedrockConverse,
} as const satisfies Readonly<Record<string, (chunks: readonly unknown[]) => Answered>>;
