/**
 * What the interface for OpenAI's clients costs: `npm run bench:openai`. The run routes and its two streams are asked by turns for the same run,
 * each until the first byte of its answer and its first text; then the events of one run are translated without a network, as
 * those of useChat and AG-UI too.
 */
import { parseArgs } from "node:util";
import { aguiFramesOf } from "../../functions/runs/agui/agui-frames.ts";
import { chatFrames } from "../../functions/runs/openai/chat-frames.ts";
import { responseFrames } from "../../functions/runs/openai/response-frames.ts";
import { uiFrames } from "../../functions/runs/ui-chat/ui-frames.ts";
import type { EventFrames } from "../../shared/runs/index.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { startStores } from "../../test/support/stores.ts";
import { figuresOf, ms, printTable } from "../figures.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "200" }, events: { type: "string", default: "20000" } },
});
const [RUNS, EVENTS] = [Number(values.runs), Number(values.events)];
const WARM_UP = 20;
const message = "Hello there, in words";
const id = "assistant";

type Asked = {
  readonly what: string;
  readonly path: string;
  readonly body: object;
  readonly bytes: number[];
  readonly texts: number[];
  readonly isText: RegExp;
};
const model = `agent:${id}`;
const asked: readonly Asked[] = [
  {
    what: "/agents/{id}/runs",
    path: `/agents/${id}/runs`,
    body: { message, stream: true },
    isText: /event: RunContent\n/,
  },
  {
    what: "/v1/chat/completions",
    path: "/v1/chat/completions",
    body: { model, stream: true, messages: [{ role: "user", content: message }] },
    isText: /"content":"[^"]/,
  },
  {
    what: "/v1/responses",
    path: "/v1/responses",
    body: { model, stream: true, input: message },
    isText: /response\.output_text\.delta/,
  },
].map((one) => ({ ...one, bytes: [], texts: [] }));

const platform = await startPlatform({ env: { REQUESTS_PER_MINUTE: "0", MAX_QUEUE_DEPTH: "0" } });
try {
  const headers = { authorization: `Bearer ${platform.token("bench", ["agents:read", "agents:run"])}` };
  for (let run = 0; run < WARM_UP + RUNS; run += 1)
    // Who comes first changes, since what a turn leaves to be done falls upon the next.
    for (const one of run % 2 === 0 ? asked : asked.toReversed()) {
      const { byte, text } = await timesOf(one, headers);
      if (run < WARM_UP) continue;
      one.bytes.push(byte);
      one.texts.push(text);
    }
} finally {
  await platform.stop();
}
const stores = await startStores();
const deps = { db: stores.db, clock: systemClock };
const about = { component: { kind: "agent", id }, origin: "http://127.0.0.1" } as const;
const run = { run_id: "r", session_id: "s" };
const chat = await eventMs(chatFrames({ ...about, model, includesUsage: true }, deps)(run));
const response = await eventMs(responseFrames({ ...about, isQueued: false }, deps)(run));
const principal = { kind: "user", user_id: "bench", scopes: ["agents:run"], admin: false } as const;
// Neither looks at anything but the text of this event.
const ui = await eventMs(uiFrames(principal as never, deps as never)(run));
const input = { runId: "r", threadId: "s", messages: [], protocolVersion: "1.0" };
const agui = await eventMs(aguiFramesOf(input as never, deps as never)(run));
await stores.stop();
const three = (times: readonly number[]): string => {
  const { p25, p50, p95 } = figuresOf(times);
  return [p25, p50, p95].map(ms).join(", ");
};
printTable([
  ...asked.flatMap(({ what, bytes, texts }) => [
    { what: `first byte, ${what}: p25, p50, p95`, figure: three(bytes) },
    { what: `first text, ${what}: p25, p50, p95`, figure: three(texts) },
  ]),
  { what: "translation of an event, chat completions: mean", figure: `${chat.toFixed(4)} ms` },
  { what: "translation of an event, responses: mean", figure: `${response.toFixed(4)} ms` },
  { what: "translation of an event, useChat: mean", figure: `${ui.toFixed(4)} ms` },
  { what: "translation of an event, AG-UI: mean", figure: `${agui.toFixed(4)} ms` },
]);

/** Milliseconds from the request to the first byte of the answer, and to the first text of the model. */
async function timesOf(
  { path, body, isText }: Asked,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly byte: number; readonly text: number }> {
  const from = performance.now();
  const answer = await fetch(`${platform.url}${path}`, {
    method: "POST",
    ...(path.startsWith("/v1")
      ? { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) }
      : {
          headers,
          body: new URLSearchParams(
            Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
          ),
        }),
  });
  let [byte, text, received] = [Number.NaN, Number.NaN, ""];
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const after = performance.now() - from;
    if (received === "") byte = after;
    received += chunk;
    if (Number.isNaN(text) && isText.test(received)) text = after;
  }
  if (answer.status !== 200 || Number.isNaN(text)) throw new Error(`${path}: ${received.slice(0, 2000)}`);
  return { byte, text };
}

/** Milliseconds that one event with a piece of text takes, in the mean. */
async function eventMs(frames: EventFrames): Promise<number> {
  const event = (event_index: number) =>
    ({
      ...{ event: "RunContent", created_at: 0, ...run, nested_depth: 0, event_index },
      ...{ agent_id: id, agent_name: "Assistant", content: "four ", content_type: "str" },
      ...{ workflow_agent: false, reasoning_content: "" },
    }) as RecordedEvent;
  let sent = 0;
  const from = performance.now();
  for (let i = 0; i < EVENTS; i += 1) sent += (await frames.of(event(i))).length;
  const took = performance.now() - from;
  if (sent < EVENTS * 50) throw new Error("events were not translated");
  return took / EVENTS;
}
