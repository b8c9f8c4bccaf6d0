import { badSseFrame, type Frame, halves, type Json, type Protocol, sseFrame } from "./protocol.ts";
import { endOf, type Turn, type TurnCall, totalOf, usageOf } from "./turn.ts";

/** Numbers the events of one answer, as the service does. */
type Numbered = (type: string, fields: Json, isDelta?: boolean) => Frame;

const incomplete: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};
const codes = { server_error: "server_error", overloaded: "rate_limit_exceeded" } as const;

function numbered(): Numbered {
  let sequence_number = 0;
  return (type, fields, isDelta) =>
    sseFrame({ type, sequence_number: sequence_number++, ...fields }, isDelta);
}

function responseOf(turn: Turn, status: string, output: readonly Json[]): Json {
  const counts = usageOf(turn);
  const reason = incomplete[endOf(turn)];
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_760_000_000,
    status,
    error: null,
    incomplete_details: status === "incomplete" ? { reason } : null,
    model: "gpt-hostile",
    output,
    parallel_tool_calls: true,
    store: false,
    usage:
      status === "in_progress" || !counts
        ? null
        : {
            input_tokens: counts.input,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: counts.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: totalOf(counts),
          },
  };
}

const begun = (event: Numbered, turn: Turn = {}): Frame[] => [
  event("response.created", { response: responseOf(turn, "in_progress", []) }),
  event("response.in_progress", { response: responseOf(turn, "in_progress", []) }),
];

const statusOf = (turn: Turn): string => (endOf(turn) in incomplete ? "incomplete" : "completed");

const messageItem = ({ text = [], refusal }: Turn): Json => ({
  id: "msg_1",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [
    ...(text.length > 0 ? [{ type: "output_text", text: text.join(""), annotations: [], logprobs: [] }] : []),
    ...(refusal === undefined ? [] : [{ type: "refusal", refusal }]),
  ],
});

const callItem = (call: TurnCall, at: number): Json => ({
  id: `fc_${at}`,
  type: "function_call",
  status: "completed",
  call_id: call.id,
  name: call.name,
  arguments: call.arguments,
});

const reasoningItem = ({ text, proof }: NonNullable<Turn["reasoning"]>): Json => ({
  id: "rs_1",
  type: "reasoning",
  encrypted_content: proof,
  summary: [{ type: "summary_text", text: text.join("") }],
});

const hasMessage = ({ text, refusal, calls = [] }: Turn): boolean =>
  text !== undefined || refusal !== undefined || calls.length === 0;

function reasoningFrames(event: Numbered, reasoning: NonNullable<Turn["reasoning"]>): Frame[] {
  const { summary, encrypted_content, ...item } = reasoningItem(reasoning);
  const at = { item_id: "rs_1", output_index: 0, summary_index: 0 };
  const part = { type: "summary_text", text: reasoning.text.join("") };
  return [
    event("response.output_item.added", {
      output_index: 0,
      item: { ...item, encrypted_content: "", summary: [] },
    }),
    event("response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }),
    ...reasoning.text.map((delta) => event("response.reasoning_summary_text.delta", { ...at, delta }, true)),
    event("response.reasoning_summary_text.done", { ...at, text: part.text }),
    event("response.reasoning_summary_part.done", { ...at, part }),
    event("response.output_item.done", { output_index: 0, item: { ...item, encrypted_content, summary } }),
  ];
}

function messageFrames(event: Numbered, turn: Turn, output_index: number): Frame[] {
  const { text = [], refusal } = turn;
  const item = messageItem(turn);
  const at = { item_id: "msg_1", output_index, content_index: 0 };
  const whole = text.join("");
  const part = { type: "output_text", text: whole, annotations: [], logprobs: [] };
  const written = [
    event("response.content_part.added", { ...at, part: { ...part, text: "" } }),
    ...text.map((delta) => event("response.output_text.delta", { ...at, delta, logprobs: [] }, true)),
    event("response.output_text.done", { ...at, text: whole, logprobs: [] }),
    event("response.content_part.done", { ...at, part }),
  ];
  const refused = (words: string) => [
    event("response.content_part.added", { ...at, part: { type: "refusal", refusal: "" } }),
    event("response.refusal.delta", { ...at, delta: words }, true),
    event("response.refusal.done", { ...at, refusal: words }),
    event("response.content_part.done", { ...at, part: { type: "refusal", refusal: words } }),
  ];
  return [
    event("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress", content: [] },
    }),
    ...(text.length > 0 ? written : []),
    ...(refusal === undefined ? [] : refused(refusal)),
    event("response.output_item.done", { output_index, item }),
  ];
}

function callFrames(event: Numbered, call: TurnCall, at: number, output_index: number): Frame[] {
  const item = callItem(call, at);
  const where = { item_id: `fc_${at}`, output_index };
  return [
    event("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress", arguments: "" },
    }),
    ...halves(call.arguments).map((delta) =>
      event("response.function_call_arguments.delta", { ...where, delta }, true),
    ),
    event("response.function_call_arguments.done", { ...where, arguments: call.arguments }),
    event("response.output_item.done", { output_index, item }),
  ];
}

function outputOf(turn: Turn): Json[] {
  return [
    ...(turn.reasoning ? [reasoningItem(turn.reasoning)] : []),
    ...(hasMessage(turn) ? [messageItem(turn)] : []),
    ...(turn.calls ?? []).map(callItem),
  ];
}

/** @source OpenAI, API reference: Responses, and its streaming events */
export const openaiResponses: Protocol = {
  provider: "openai",
  serves: (path) => path.endsWith("/responses"),
  streams: (_, body) => body.stream === true,
  contentType: "text/event-stream; charset=utf-8",
  frames: (turn) => {
    const event = numbered();
    const before = turn.reasoning ? 1 : 0;
    const calls = before + (hasMessage(turn) ? 1 : 0);
    const status = statusOf(turn);
    return [
      ...begun(event, turn),
      ...(turn.reasoning ? reasoningFrames(event, turn.reasoning) : []),
      ...(hasMessage(turn) ? messageFrames(event, turn, before) : []),
      ...(turn.calls ?? []).flatMap((call, i) => callFrames(event, call, i, calls + i)),
      event(`response.${status}`, { response: responseOf(turn, status, outputOf(turn)) }),
    ];
  },
  whole: (turn) => responseOf(turn, statusOf(turn), outputOf(turn)),
  refused: (status, message) => ({
    status,
    body: {
      error: { message, type: status === 429 ? "requests" : "server_error", param: null, code: null },
    },
  }),
  tooLong: {
    status: 400,
    body: {
      error: {
        message: "The input is longer than the context window of this model.",
        type: "invalid_request_error",
        param: "input",
        code: "context_length_exceeded",
      },
    },
  },
  failed: (code, message) => {
    const event = numbered();
    const error = { code: codes[code], message };
    return [
      event("response.failed", { response: { ...responseOf({ usage: "none" }, "failed", []), error } }),
    ];
  },
  badFrame: badSseFrame,
};
