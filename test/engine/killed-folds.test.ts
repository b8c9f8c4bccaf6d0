import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { executeSlice } from "../../shared/engine/loop/execute-slice.ts";
import type { RunState } from "../../shared/engine/run/run-state.ts";
import { storedResultsOf } from "../../shared/stores/runs/stored-results.ts";
import { objectsInMemory } from "../support/objects-in-memory.ts";
import { aRequest, tickingClock } from "./support/run-agent.ts";
import { agentWith, finish, known, SESSION, tokensOf, WINDOW } from "./support/strict-model.ts";
import { watchedModel } from "./support/watched-model.ts";

const STEPS = 60;
const agent = { ...agentWith(1_000), helper_model: "scripted:helper" };

type Part = { readonly type: string; readonly toolCallId?: string };

/** How many calls a prompt has behind it, so that what is asked twice is answered the same. */
const stepOf = (prompt: LanguageModelV4Prompt): number => {
  const parts = prompt.flatMap(({ content }): readonly Part[] =>
    typeof content === "string" ? [] : content,
  );
  const last = parts.findLast(({ type }) => type === "tool-call");
  return last?.toolCallId === undefined ? 0 : Number(last.toolCallId.slice(1));
};

const own = watchedModel((prompt) => {
  expect(tokensOf(prompt)).toBeLessThanOrEqual(WINDOW);
  const step = stepOf(prompt);
  if (step < STEPS) {
    const input = JSON.stringify({ page: step });
    return [
      { type: "tool-call", toolCallId: `c${step + 1}`, toolName: "look_up", input },
      finish(prompt, "tool-calls"),
    ];
  }
  return [
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "Done." },
    { type: "text-end", id: "t" },
    finish(prompt, "stop"),
  ];
});

type Moment = "never" | "while it is written" | "before it is stored" | "once it is stored";

/** A run whose process dies around the first summary of its prompt, and is followed by another. */
async function diesAround(moment: Moment) {
  let summaries = 0;
  let isDue = moment !== "never";
  let saved: RunState | undefined;
  let ids = 0;
  const died = Promise.withResolvers<"died">();
  const dies = (): Promise<never> => {
    isDue = false;
    died.resolve("died");
    return new Promise(() => undefined);
  };
  const helper = watchedModel((prompt) => {
    summaries += 1;
    return [
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "All pages are well." },
      { type: "text-end", id: "t" },
      finish(prompt, "stop"),
    ];
  });
  const models = {
    ...known(own.models, WINDOW),
    resolve: async (spec?: string) => {
      if (spec !== "scripted:helper") return own.models.resolve();
      const resolved = await helper.models.resolve();
      const doStream: typeof resolved.model.doStream = async (options) => {
        const answer = await resolved.model.doStream(options);
        return isDue && moment === "while it is written" ? dies() : answer;
      };
      return { ...resolved, model: Object.assign(Object.create(resolved.model), { doStream }) };
    },
  };
  const results = storedResultsOf({ objects: objectsInMemory() }, SESSION);
  const execute = () =>
    executeSlice(
      agent,
      aRequest("go"),
      {
        ...{ models, clock: tickingClock(), newId: () => `id-${++ids}`, results, emit: () => undefined },
        signal: new AbortController().signal,
        saveCheckpoint: async (state) => {
          const summed = isDue && summaries > 0;
          if (summed && moment === "before it is stored") await dies();
          saved = structuredClone(state);
          if (summed) await dies();
        },
      },
      saved && structuredClone(saved),
    );
  const first = await Promise.race([execute(), died.promise]);
  const ended = first === "died" ? await execute() : first;
  const folds = saved?.view?.folds ?? [];
  return { ended, hasDied: first === "died", summaries, folds };
}

test.each([
  ["while it is written", 1],
  ["before it is stored", 1],
  ["once it is stored", 0],
] as const)(
  "a process that dies around a summary, %s, leaves one record of it, and it is billed twice at most",
  async (moment, again) => {
    const whole = await diesAround("never");
    const { ended, hasDied, summaries, folds } = await diesAround(moment);
    expect(hasDied).toBe(true);
    expect(ended).toMatchObject({ status: "COMPLETED", output: { content: "Done." } });
    expect(summaries).toBe(whole.summaries + again);
    expect(whole.summaries).toBeGreaterThan(1);
    const recordsOf = ({ first_kept_message_id: _, id: _id, created_at: _at, ...rest }: (typeof folds)[0]) =>
      rest;
    expect(folds.map(recordsOf)).toEqual(whole.folds.map(recordsOf));
  },
);
