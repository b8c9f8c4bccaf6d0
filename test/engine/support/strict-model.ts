import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import * as v from "valibot";
import type { Models } from "../../../shared/engine/model/models.ts";
import { defineTool } from "../../../shared/engine/tool/tool.ts";
import { storedResultsOf } from "../../../shared/stores/runs/stored-results.ts";
import { objectsInMemory } from "../../support/objects-in-memory.ts";
import { anAgent, type How } from "./run-agent.ts";
import { watchedModel } from "./watched-model.ts";

export const SESSION = { owner: "maria", session_id: "session-1" };
export const WINDOW = 8_192;

/** Four characters are a token here, as the service counts. */
export const tokensOf = (prompt: LanguageModelV4Prompt): number =>
  Math.ceil(JSON.stringify(prompt).length / 4);

export const finish = (
  prompt: LanguageModelV4Prompt,
  reason: "stop" | "tool-calls",
): LanguageModelV4StreamPart => ({
  type: "finish",
  usage: { inputTokens: { total: tokensOf(prompt) }, outputTokens: { total: 20 } } as never,
  finishReason: { unified: reason, raw: reason },
});

/** What a service answers to a prompt that is longer than its model takes. */
export const refusal = (message: string) =>
  Object.assign(new Error("Bad Request"), {
    name: "AI_APICallError",
    statusCode: 400,
    responseBody: JSON.stringify({ error: { message } }),
  });

type Call = readonly [name: string, args: object];

/** A service that refuses what is longer than its window, and a model that calls what the test says, one call an answer. */
export function strictModel(
  next: (step: number, prompt: LanguageModelV4Prompt) => Call | undefined,
  window = WINDOW,
) {
  let step = 0;
  const refused: number[] = [];
  const watched = watchedModel((prompt) => {
    const tokens = tokensOf(prompt);
    if (tokens > window) {
      refused.push(tokens);
      throw refusal(`This model's maximum context length is ${window} tokens. Your messages have ${tokens}.`);
    }
    const call = next(step, prompt);
    step += 1;
    if (!call)
      return [
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "Done." },
        { type: "text-end", id: "t" },
        finish(prompt, "stop"),
      ];
    const [toolName, args] = call;
    return [
      { type: "tool-call", toolCallId: `c${step}`, toolName, input: JSON.stringify(args) },
      finish(prompt, "tool-calls"),
    ];
  });
  return { ...watched, refused };
}

export const known = (models: Models, tokens: number | undefined): Models => ({
  ...models,
  windowOf: () => (tokens === undefined ? undefined : { tokens }),
});

/** A tool whose results are of one length; each holds a fact of its own. */
export const lookUp = (chars: number) =>
  defineTool({
    name: "look_up",
    description: "Look up a page.",
    parameters: v.object({ page: v.number() }),
    effect: "safe",
    execute: ({ page }) => `fact ${page} is ${page * 7919}. ${"All is well. ".repeat(chars / 13)}`,
  });

export const withStore = (how: How): How => ({
  ...how,
  results: storedResultsOf({ objects: objectsInMemory() }, SESSION),
});

export const lookingUp = (steps: number) => (step: number) =>
  step < steps ? (["look_up", { page: step }] as const) : undefined;

export const agentWith = (chars: number) =>
  anAgent({ tools: [lookUp(chars)], max_steps: 1_000, loop_limit: 0 });
