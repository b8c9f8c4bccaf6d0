import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import * as v from "valibot";
import type { Models } from "../../../shared/engine/model/models.ts";
import type { SteeredMessage } from "../../../shared/engine/ports/inbox-port.ts";
import { defineTool } from "../../../shared/engine/tool/tool.ts";
import type { Message } from "../../../shared/schemas/runs/run.ts";
import { storedResultsOf } from "../../../shared/stores/runs/stored-results.ts";
import { objectsInMemory } from "../../support/objects-in-memory.ts";
import { type Random, seededRandom } from "../../support/simulated/random.ts";
import { anAgent, aRequest, eventsOf, runAgent, scripted } from "./run-agent.ts";
import { watchedModel } from "./watched-model.ts";

const SESSION = { owner: "maria", session_id: "session-1" };

/** A run that a number decides: its model's window, its history, what is called and said, and whether a helper sums up. */
export type RandomRun = {
  readonly prompts: readonly LanguageModelV4Prompt[];
  readonly status: string;
  readonly messages: readonly Message[];
  readonly steps: number;
  /** How often its prompt became shorter. */
  readonly cuts: number;
};

const TOOL = defineTool({
  name: "look_up",
  description: "Look up a page.",
  parameters: v.object({ page: v.number(), chars: v.number(), fails: v.boolean() }),
  effect: "safe",
  execute: ({ page, chars, fails }) => {
    if (fails) throw new Error(`There is no page ${page}.`);
    return `page ${page} `.repeat(Math.ceil(chars / 8));
  },
});

export async function playRandomRun(seed: number): Promise<RandomRun> {
  const random = seededRandom(seed);
  const window = random.pick([2_000, 4_096, 8_192, 16_000]);
  const isKnown = random.chance(0.7);
  const helps = random.chance(0.3);
  const steps = random.between(3, 25);
  let step = 0;
  let id = 0;
  const watched = watchedModel((prompt) => {
    const tokens = Math.ceil(JSON.stringify(prompt).length / 4);
    if (tokens > window) throw tooLong(window, tokens);
    step += 1;
    return step > steps ? said(tokens, "Done.") : called(tokens, random, () => `call-${++id}`, window);
  });
  const models: Models = {
    ...watched.models,
    resolve: (spec) =>
      spec === "scripted:helper" ? scripted().resolve("scripted") : watched.models.resolve(),
    windowOf: () => (isKnown ? { tokens: window } : undefined),
  };
  const agent = anAgent({
    tools: [TOOL],
    max_steps: 1_000,
    loop_limit: 0,
    add_history_to_context: true,
    ...(helps && { helper_model: "scripted:helper" }),
    ...(random.chance(0.3) && { num_history_messages: random.between(1, 12) }),
    ...(random.chance(0.2) && { offload_tool_results: false }),
  });
  const run = await runAgent("", {
    agent,
    request: aRequest("look everything up", { history: historyOf(random, window) }),
    models,
    results: storedResultsOf({ objects: objectsInMemory() }, SESSION),
    inbox: {
      take: async () => (random.chance(0.15) ? [spoken(random, ++id)] : []),
      refuse: async () => undefined,
    },
  });
  const { status = "", messages = [] } = run.outcome.output;
  const cuts = eventsOf(run, "CompactionCompleted").length + eventsOf(run, "CompressionCompleted").length;
  return { prompts: watched.prompts, status, messages, steps, cuts };
}

const tooLong = (window: number, tokens: number) =>
  Object.assign(new Error("Bad Request"), {
    name: "AI_APICallError",
    statusCode: 400,
    responseBody: JSON.stringify({
      error: {
        message: `This model's maximum context length is ${window} tokens. Your messages have ${tokens}.`,
      },
    }),
  });

const finish = (tokens: number, reason: "stop" | "tool-calls"): LanguageModelV4StreamPart => ({
  type: "finish",
  usage: { inputTokens: { total: tokens }, outputTokens: { total: 20 } } as never,
  finishReason: { unified: reason, raw: reason },
});

const text = (delta: string): LanguageModelV4StreamPart[] => [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta },
  { type: "text-end", id: "t" },
];

const said = (tokens: number, delta: string) => [...text(delta), finish(tokens, "stop")];

/** An answer of one to five calls. Together their results have at most an eighth of the window. */
function called(tokens: number, random: Random, newId: () => string, window: number) {
  const count = random.chance(0.6) ? 1 : random.between(2, 5);
  const calls = Array.from({ length: count }, (): LanguageModelV4StreamPart => {
    const chars = random.between(1, Math.floor(window / (2 * count)));
    const input = { page: random.between(1, 1_000), chars, fails: random.chance(0.1) };
    return { type: "tool-call", toolCallId: newId(), toolName: "look_up", input: JSON.stringify(input) };
  });
  const words = random.chance(0.3) ? text("Let me see. ") : [];
  return [...words, ...calls, finish(tokens, "tool-calls")];
}

const spoken = (random: Random, id: number): SteeredMessage => ({
  message_id: `message-${id}`,
  content: `Mind this: ${"and that, ".repeat(random.between(0, 20))}`,
  media: {},
});

/** Earlier runs: a question, calls with their results, an answer. */
function historyOf(random: Random, window: number): Message[] {
  const messages: Message[] = [];
  const add = (parts: Partial<Message> & Pick<Message, "role">) =>
    messages.push({
      id: `h${messages.length}`,
      from_history: true,
      stop_after_tool_call: false,
      created_at: 1,
      ...parts,
    });
  const runs = random.between(0, 6);
  for (let run = 0; run < runs; run += 1) {
    add({ role: "user", content: `What about ${run}?` });
    const calls = random.between(0, 4);
    const ids = Array.from({ length: calls }, (_, at) => `h${run}-${at}`);
    const call = (id: string) => ({
      id,
      type: "function" as const,
      function: { name: "look_up", arguments: "{}" },
    });
    if (calls > 0) add({ role: "assistant", tool_calls: ids.map(call) });
    for (const tool_call_id of ids)
      add({
        role: "tool",
        tool_call_id,
        tool_name: "look_up",
        content: "old ".repeat(random.between(1, window / 16)),
      });
    add({ role: "assistant", content: `It is ${run}.` });
  }
  return messages;
}

/** What is wrong with a prompt: a result that does not follow its call, or a call without its result. */
export function orphansIn(prompt: LanguageModelV4Prompt): string[] {
  const wrong: string[] = [];
  let open: string[] = [];
  for (const { role, content } of prompt) {
    const parts = typeof content === "string" ? [] : content;
    const ids = (type: string) =>
      parts.flatMap((part) => (part.type === type && "toolCallId" in part ? [part.toolCallId] : []));
    const results = ids("tool-result");
    wrong.push(...results.filter((id) => !open.includes(id)).map((id) => `the result of ${id} has no call`));
    open = open.filter((id) => !results.includes(id));
    if (role === "tool") continue;
    wrong.push(...open.map((id) => `${id} has no result`));
    open = role === "assistant" ? ids("tool-call") : [];
  }
  return [...wrong, ...open.map((id) => `${id} has no result`)];
}
