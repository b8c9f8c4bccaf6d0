import { badSseFrame, halves, type Json, type Protocol, sseFrame } from "./protocol.ts";
import { endOf, type Turn, type TurnCall, totalOf, usageOf } from "./turn.ts";

const reasons = {
  stop: "stop",
  refusal: "stop",
  calls: "tool_calls",
  length: "length",
  content_filter: "content_filter",
} as const;

const envelope = { id: "chatcmpl-1", created: 1_760_000_000, model: "hostile", system_fingerprint: "fp_1" };

const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
  ...envelope,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  usage: null,
});

function countsOf(turn: Turn): Json | null {
  const counts = usageOf(turn);
  return (
    (counts && {
      prompt_tokens: counts.input,
      completion_tokens: counts.output,
      total_tokens: totalOf(counts),
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    }) ??
    null
  );
}

const callOf = ({ id, name, arguments: written }: TurnCall, index: number): Json => ({
  index,
  id,
  type: "function",
  function: { name, arguments: written },
});

/** Chat completions, which most self-hosted model servers speak. @source OpenAI, API reference: Chat, streaming */
export const chatCompletions: Protocol = {
  provider: "openai-compatible",
  serves: (path) => path.endsWith("/chat/completions"),
  streams: (_, body) => body.stream === true,
  contentType: "text/event-stream; charset=utf-8",
  frames: (turn) => {
    const { text = [], refusal, reasoning, calls = [] } = turn;
    const usage = countsOf(turn);
    return [
      sseFrame(chunk({ role: "assistant", content: "", refusal: null })),
      ...(reasoning?.text ?? []).map((part) => sseFrame(chunk({ reasoning_content: part }), true)),
      ...text.map((content) => sseFrame(chunk({ content }), true)),
      ...(refusal === undefined ? [] : [sseFrame(chunk({ refusal }), true)]),
      ...calls.flatMap((call, index) => [
        sseFrame(chunk({ tool_calls: [callOf({ ...call, arguments: "" }, index)] })),
        ...halves(call.arguments).map((part) =>
          sseFrame(chunk({ tool_calls: [{ index, function: { arguments: part } }] }), true),
        ),
      ]),
      sseFrame(chunk({}, reasons[endOf(turn)])),
      ...(usage ? [sseFrame({ ...chunk({}), choices: [], usage })] : []),
      sseFrame("[DONE]"),
    ];
  },
  whole: (turn) => {
    const { text, refusal, reasoning, calls = [] } = turn;
    const message = {
      role: "assistant",
      content: text?.join("") ?? null,
      refusal: refusal ?? null,
      ...(reasoning && { reasoning_content: reasoning.text.join("") }),
      ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
    };
    return {
      ...envelope,
      object: "chat.completion",
      choices: [{ index: 0, message, logprobs: null, finish_reason: reasons[endOf(turn)] }],
      usage: countsOf(turn),
    };
  },
  refused: (status, message) => ({
    status,
    body: {
      error: { message, type: status === 429 ? "rate_limit_error" : "server_error", param: null, code: null },
    },
  }),
  tooLong: {
    status: 400,
    body: {
      error: {
        message: "The maximum context length is 8192 tokens, and the messages have 9001 tokens.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
  },
  failed: (code, message) => [
    sseFrame({
      error: {
        message,
        type: code === "overloaded" ? "rate_limit_error" : "server_error",
        param: null,
        code: code === "overloaded" ? "rate_limit_exceeded" : null,
      },
    }),
  ],
  badFrame: badSseFrame,
};
