import { badSseFrame, type Frame, halves, type Json, type Protocol, sseFrame } from "./protocol.ts";
import { endOf, type Turn, type TurnUsage, usageOf } from "./turn.ts";

const reasons = {
  stop: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal",
  refusal: "refusal",
} as const;
const errors: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** A block of the content, and the deltas in which it is streamed. */
type Block = {
  readonly begins: Json;
  readonly deltas: readonly Json[];
  readonly signature?: Json;
  readonly whole: Json;
};

function blocksOf({ text = [], refusal, reasoning, calls = [] }: Turn): Block[] {
  const words = refusal === undefined ? text : [...text, refusal];
  return [
    ...(reasoning
      ? [
          {
            begins: { type: "thinking", thinking: "", signature: "" },
            deltas: reasoning.text.map((thinking) => ({ type: "thinking_delta", thinking })),
            signature: { type: "signature_delta", signature: reasoning.proof },
            whole: { type: "thinking", thinking: reasoning.text.join(""), signature: reasoning.proof },
          },
        ]
      : []),
    ...(words.length > 0
      ? [
          {
            begins: { type: "text", text: "" },
            deltas: words.map((part) => ({ type: "text_delta", text: part })),
            whole: { type: "text", text: words.join("") },
          },
        ]
      : []),
    ...calls.map(({ id, name, arguments: written }) => ({
      begins: { type: "tool_use", id, name, input: {} },
      deltas: halves(written).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      whole: { type: "tool_use", id, name, input: jsonOr(written, {}) },
    })),
  ];
}

function jsonOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

const blockFrames = ({ begins, deltas, signature }: Block, index: number): Frame[] => [
  sseFrame({ type: "content_block_start", index, content_block: begins }),
  ...deltas.map((delta) => sseFrame({ type: "content_block_delta", index, delta }, true)),
  ...(signature ? [sseFrame({ type: "content_block_delta", index, delta: signature })] : []),
  sseFrame({ type: "content_block_stop", index }),
];

const messageOf = (content: readonly Json[], stop_reason: string | null, counts: TurnUsage): Json => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-hostile",
  content,
  stop_reason,
  stop_sequence: null,
  usage: {
    input_tokens: counts.input,
    cache_creation_input_tokens: counts.cacheWrite ?? 0,
    cache_read_input_tokens: counts.cacheRead ?? 0,
    output_tokens: counts.output,
    service_tier: "standard",
  },
});

/** The service always counts; one that stands in for it and does not reports nothing used. */
const countsOf = (turn: Turn): TurnUsage => usageOf(turn) ?? { input: 0, output: 0 };

/** @source Anthropic, API reference: Messages, streaming */
export const anthropicMessages: Protocol = {
  provider: "anthropic",
  serves: (path) => path.endsWith("/messages"),
  streams: (_, body) => body.stream === true,
  contentType: "text/event-stream; charset=utf-8",
  frames: (turn) => {
    const counts = countsOf(turn);
    return [
      sseFrame({
        type: "message_start",
        message: messageOf([], null, {
          ...counts,
          output: typeof counts.output === "number" ? Math.min(1, counts.output) : counts.output,
        }),
      }),
      sseFrame({ type: "ping" }),
      ...blocksOf(turn).flatMap(blockFrames),
      sseFrame({
        type: "message_delta",
        delta: { stop_reason: reasons[endOf(turn)], stop_sequence: null },
        usage: { output_tokens: counts.output },
      }),
      sseFrame({ type: "message_stop" }),
    ];
  },
  whole: (turn) =>
    messageOf(
      blocksOf(turn).map(({ whole }) => whole),
      reasons[endOf(turn)],
      countsOf(turn),
    ),
  refused: (status, message) => ({
    status,
    headers: { "request-id": "req_1" },
    body: { type: "error", error: { type: errors[status] ?? "api_error", message }, request_id: "req_1" },
  }),
  tooLong: {
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 200001 tokens > 200000 maximum" },
      request_id: "req_1",
    },
  },
  failed: (code, message) => [
    sseFrame({
      type: "error",
      error: { type: code === "overloaded" ? "overloaded_error" : "api_error", message },
      request_id: "req_1",
    }),
  ],
  badFrame: badSseFrame,
};
