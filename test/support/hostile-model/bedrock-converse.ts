import { eventStreamFrame } from "./event-stream-frame.ts";
import { type Frame, halves, type Json, type Protocol } from "./protocol.ts";
import { endOf, type Turn, totalOf, usageOf } from "./turn.ts";

const reasons = {
  stop: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  content_filter: "content_filtered",
  refusal: "end_turn",
} as const;
const exceptions: Readonly<Record<number, string>> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  429: "ThrottlingException",
  503: "ServiceUnavailableException",
};
const failures = { server_error: "internalServerException", overloaded: "throttlingException" } as const;

const frame = (type: string, body: Json, isDelta = false): Frame => ({
  bytes: eventStreamFrame(
    { ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
    { ...body, p: "abcdefgh" },
  ),
  isDelta,
});

const delta = (contentBlockIndex: number, part: Json, isDelta = true): Frame =>
  frame("contentBlockDelta", { contentBlockIndex, delta: part }, isDelta);

/** A block of the content: whole, and as it is streamed. */
type Block = { readonly whole: Json; readonly frames: (at: number) => Frame[] };

const stop = (contentBlockIndex: number): Frame => frame("contentBlockStop", { contentBlockIndex });

function blocksOf({ text = [], refusal, reasoning, calls = [] }: Turn): Block[] {
  const words = refusal === undefined ? text : [...text, refusal];
  return [
    ...(reasoning ? [reasoningBlock(reasoning)] : []),
    ...(words.length > 0
      ? [
          {
            whole: { text: words.join("") },
            frames: (at: number) => [...words.map((part) => delta(at, { text: part })), stop(at)],
          },
        ]
      : []),
    ...calls.map(({ id, name, arguments: written }) => ({
      whole: { toolUse: { toolUseId: id, name, input: jsonOrText(written) } },
      frames: (at: number) => [
        frame("contentBlockStart", { contentBlockIndex: at, start: { toolUse: { toolUseId: id, name } } }),
        ...halves(written).map((input) => delta(at, { toolUse: { input } })),
        stop(at),
      ],
    })),
  ];
}

function reasoningBlock({ text, proof }: NonNullable<Turn["reasoning"]>): Block {
  return {
    whole: { reasoningContent: { reasoningText: { text: text.join(""), signature: proof } } },
    frames: (at) => [
      ...text.map((part) => delta(at, { reasoningContent: { text: part } })),
      delta(at, { reasoningContent: { signature: proof } }, false),
      stop(at),
    ],
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function countsOf(turn: Turn): Json {
  const counts = usageOf(turn);
  if (!counts) return {};
  const { input, output } = counts;
  return { usage: { inputTokens: input, outputTokens: output, totalTokens: totalOf(counts) } };
}

const metrics = { latencyMs: 5 };

/** The operations Converse and ConverseStream. @source Amazon Bedrock, API reference; Amazon event stream encoding */
export const bedrockConverse: Protocol = {
  provider: "amazon-bedrock",
  serves: (path) => /\/model\/[^/]+\/converse(-stream)?$/.test(path),
  streams: (path) => path.endsWith("-stream"),
  contentType: "application/vnd.amazon.eventstream",
  frames: (turn) => [
    frame("messageStart", { role: "assistant" }),
    ...blocksOf(turn).flatMap(({ frames }, at) => frames(at)),
    frame("messageStop", { stopReason: reasons[endOf(turn)] }),
    frame("metadata", { ...countsOf(turn), metrics }),
  ],
  whole: (turn) => ({
    output: { message: { role: "assistant", content: blocksOf(turn).map(({ whole }) => whole) } },
    stopReason: reasons[endOf(turn)],
    ...countsOf(turn),
    metrics,
  }),
  refused: (status, message) => ({
    status,
    headers: { "x-amzn-errortype": exceptions[status] ?? "InternalServerException" },
    body: { message },
  }),
  tooLong: {
    status: 400,
    headers: { "x-amzn-errortype": "ValidationException" },
    body: { message: "The input is too long for the requested model." },
  },
  failed: (code, message) => [
    {
      bytes: eventStreamFrame(
        {
          ":exception-type": failures[code],
          ":content-type": "application/json",
          ":message-type": "exception",
        },
        { message },
      ),
      isDelta: false,
    },
  ],
  // Lengths that are right, and checksums that are not.
  badFrame: { bytes: damaged(frame("contentBlockDelta", { contentBlockIndex: 0 }).bytes), isDelta: false },
};

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(1, copy.length - 4);
  return copy;
}
