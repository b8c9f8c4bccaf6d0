import type { Failure, Reply, Turn } from "../../support/hostile-model/turn.ts";

/** How the model behaves where it would have answered with a turn. */
export type ModelBehaviour = {
  /** In words, for the table in docs/models.md. */
  readonly is: string;
  /** The replies in place of that turn. */
  readonly replies: (turn: Turn) => readonly Reply[];
};

const status = (code: number, headers?: Record<string, string>): Failure => ({
  kind: "status",
  status: code,
  message: `status ${code}`,
  ...(headers && { headers }),
});
/** Fails once, then goes well. */
const once = (is: string, fails: Failure): ModelBehaviour => ({
  is,
  replies: (turn) => [{ ...turn, fails }, turn],
});
/** Breaks off once, and goes on where it was. */
const broken = (is: string, fails: Failure & { readonly after_deltas: number }): ModelBehaviour => ({
  is,
  replies: (turn) => [
    { ...turn, fails },
    { ...turn, goesOn: true },
  ],
});
/** Fails more often than anything is tried. */
const always = (is: string, fails: Failure): ModelBehaviour => ({
  is,
  replies: (turn) => Array.from({ length: 40 }, () => ({ ...turn, fails })),
});
/** Answers otherwise than it should. */
const instead = (is: string, change: (turn: Turn) => Reply): ModelBehaviour => ({
  is,
  replies: (turn) => [change(turn)],
});
/** Makes calls before it answers. */
const calling = (is: string, calls: NonNullable<Turn["calls"]>): ModelBehaviour => ({
  is,
  replies: (turn) => [{ calls }, turn],
});

const add = (id: string, written = '{"a":2,"b":3}', name = "add_numbers") => ({
  id,
  name,
  arguments: written,
});
const words = (text: string) => text.match(/\S+\s*/g) ?? [];

/** One cut after each of the first deltas. */
const cuts = Object.fromEntries(
  ([1, 2, 3, 4, 5] as const).map((after_deltas) => [
    `cut-${after_deltas}`,
    broken(`connection cut after ${after_deltas} deltas`, { kind: "cut", after_deltas }),
  ]),
) as Record<`cut-${1 | 2 | 3 | 4 | 5}`, ModelBehaviour>; // the keys are made of these numbers

export const behaviours = {
  plain: instead("answers", (turn) => turn),
  "429": once("429 once", status(429)),
  "429-retry-after": once("429 with `retry-after: 1` once", status(429, { "retry-after": "1" })),
  "429-always": always("429 always", status(429)),
  "429-long-wait": always("429 with `retry-after: 3600`", status(429, { "retry-after": "3600" })),
  "429-wait": always("429 with `retry-after: 30`", status(429, { "retry-after": "30" })),
  "500": once("500 once", status(500)),
  "503": once("503 once", status(503)),
  "529": once("529 once", status(529)),
  "503-always": always("503 always", status(503)),
  "401": always("401", status(401)),
  "reset-before-headers": once("connection reset before headers, once", {
    kind: "reset",
    when: "before_headers",
  }),
  "reset-after-headers": once("connection reset after headers, once", {
    kind: "reset",
    when: "after_headers",
  }),
  "cut-0": once("connection cut before the first delta, once", { kind: "cut", after_deltas: 0 }),
  ...cuts,
  "cut-last": broken("connection cut after the last delta", { kind: "cut", after_deltas: 99 }),
  "cut-always": always("connection cut after 2 deltas, always", { kind: "cut", after_deltas: 2 }),
  "ends-0": once("stream ends before the first delta, once", { kind: "ends_early", after_deltas: 0 }),
  "ends-1": broken("stream ends after 1 delta", { kind: "ends_early", after_deltas: 1 }),
  silence: always("silence before headers", { kind: "silence" }),
  "silence-1": always("silence after 1 delta", { kind: "silence", after_deltas: 1 }),
  slow: instead("a delta every 300 ms", (turn) => ({ ...turn, fails: { kind: "slow", ms: 300 } })),
  "bad-frame-0": once("unreadable frame before the first delta, once", {
    kind: "bad_frame",
    after_deltas: 0,
  }),
  "bad-frame-1": broken("unreadable frame after 1 delta", { kind: "bad_frame", after_deltas: 1 }),
  "fails-0": once("failure in the stream before the first delta, once", {
    kind: "fails",
    after_deltas: 0,
    code: "server_error",
    message: "the model fell over",
  }),
  "fails-1": broken("failure in the stream after 1 delta", {
    kind: "fails",
    after_deltas: 1,
    code: "server_error",
    message: "the model fell over",
  }),
  "overloaded-0": once("overload in the stream before the first delta, once", {
    kind: "fails",
    after_deltas: 0,
    code: "overloaded",
    message: "too many at once",
  }),
  "too-long": always("prompt longer than the window", { kind: "too_long" }),
  "empty-once": { is: "empty answer once", replies: (turn) => [{ text: [] }, turn] },
  empty: instead("empty answer always", () => ({ text: [] })),
  length: instead("cut at the output limit", ({ text }) => ({ text: text ?? ["Half"], end: "length" })),
  refusal: instead("refusal in words", () => ({ refusal: "I cannot help with that." })),
  "filter-text": instead("content filter after some text", () => ({ text: ["Half"], end: "content_filter" })),
  filter: instead("content filter without a text", () => ({ text: [], end: "content_filter" })),
  "no-usage": instead("no token counts", (turn) => ({ ...turn, usage: "none" })),
  "wrong-usage": instead("negative token counts", (turn) => ({ ...turn, usage: { input: -5, output: -7 } })),
  "huge-usage": instead("token counts of a quadrillion", (turn) => ({
    ...turn,
    usage: { input: 1e15, output: 1e15 },
  })),
  "zero-usage": instead("token counts of zero", (turn) => ({ ...turn, usage: { input: 0, output: 0 } })),
  "text-usage": instead("token counts that are texts", (turn) => ({
    ...turn,
    usage: { input: "many", output: "more" },
  })),
  picture: calling("tool whose result is a picture", [add("call_a", "{}", "draw_square")]),
  reasoning: instead("reasoning before the answer", (turn) => ({
    ...turn,
    reasoning: { text: ["I ", "think."], proof: "sig-1" },
  })),
  "malformed-call": calling("tool call that is no JSON", [add("call_a", '{"a":2,"b":')]),
  "wrong-call": calling("tool call with arguments of a wrong type", [add("call_a", '{"a":"two"}')]),
  "unknown-tool": calling("call of an unknown tool", [add("call_a", "{}", "fly")]),
  "same-ids": calling("two calls with one id", [add("call_a"), add("call_a", '{"a":1,"b":1}')]),
  "huge-call": calling("arguments of 300 KB", [
    add("call_a", JSON.stringify({ a: 2, b: 3, note: "x".repeat(300_000) })),
  ]),
  "parallel-calls": calling(
    "20 calls at once",
    Array.from({ length: 20 }, (_, i) => add(`call_${i}`, JSON.stringify({ a: i, b: 1 }))),
  ),
} as const satisfies Readonly<Record<string, ModelBehaviour>>;

export type BehaviourName = keyof typeof behaviours;

/** What the model says when all goes well. */
export const answer: Turn = { text: words("It is five, and no more.") };
