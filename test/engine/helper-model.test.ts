import { describe, expect, test } from "vitest";
import { resolveFallbacks } from "../../shared/engine/component/build/resolve-fallbacks.ts";
import { resolveHelpers } from "../../shared/engine/component/build/resolve-helpers.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { EnginePorts, LearningBook, MemoryBook } from "../../shared/engine/ports/engine-ports.ts";
import { answerWithinBudget } from "../../shared/engine/turn/answer-within-budget.ts";
import { anAgent, runAgent, scripted } from "./support/run-agent.ts";

const OWN = "openai:own";
const HELPER = "openai:helper";
const FOLLOWUPS = "openai:followups";

/** The scripted model under several names. @param down those that fail */
function severalModels(down: readonly string[] = [], helper?: string) {
  const asked: string[] = [];
  const inner = scripted();
  const models: Models = {
    describe: (spec = OWN) => ({
      id: spec.replace("openai:", ""),
      provider: "OpenAI",
      price: { input_per_million: spec === OWN ? 100 : 1, output_per_million: spec === OWN ? 100 : 1 },
    }),
    resolve: async (spec = OWN) => {
      asked.push(spec.replace("openai:", ""));
      if (down.includes(spec)) throw new Error("down");
      return inner.resolve();
    },
    ...(helper !== undefined && { helper }),
  };
  return { models, asked };
}

const memories: MemoryBook = {
  list: async () => [],
  add: async () => {
    throw new Error("nothing is added");
  },
  update: async () => undefined,
};
const book: LearningBook = {
  recall: async () => [],
  revise: async () => undefined,
  add: async () => undefined,
  now: () => "2026-11-24T12:00:00Z",
};
const books: Pick<EnginePorts, "memories" | "learnings"> = { memories, learnings: () => book };
const all = {
  update_memory_on_run: true,
  learning: { user_profile: "always" as const },
  enable_session_summaries: true,
  followups: true,
};

describe("a helper model", () => {
  test("does what a run does after its answer, and is priced as itself", async () => {
    const { models, asked } = severalModels();
    const agent = anAgent({ model: OWN, helper_model: HELPER, ...all });
    const { outcome } = await runAgent("hello", { agent, models, ...books });
    expect(asked).toEqual(["own", "helper", "helper", "helper", "helper"]);
    const { details = {}, cost } = outcome.output.metrics ?? {};
    const { model, ...roles } = details;
    expect(model).toMatchObject([{ id: "own" }]);
    expect(Object.keys(roles).sort()).toEqual([
      "followup_model",
      "learning_model",
      "memory_model",
      "session_summary_model",
    ]);
    expect(
      Object.values(roles)
        .flat()
        .map(({ id }) => id),
    ).toEqual(["helper", "helper", "helper", "helper"]);
    expect(cost).toBeCloseTo(
      Object.values(details)
        .flat()
        .reduce((sum, one) => sum + (one.cost ?? 0), 0),
      12,
    );
  });

  test("of the platform helps an agent that names none", async () => {
    const { models, asked } = severalModels([], HELPER);
    await runAgent("hello", { agent: anAgent({ model: OWN, followups: true }), models });
    expect(asked).toEqual(["own", "helper"]);
  });

  test("comes after the model for follow-up questions", async () => {
    const { models, asked } = severalModels();
    const agent = anAgent({ model: OWN, helper_model: HELPER, followup_model: FOLLOWUPS, ...all });
    await runAgent("hello", { agent, models });
    expect(asked).toEqual(["own", "helper", "followups"]);
  });

  test("that fails is replaced by the run's model, once", async () => {
    const { models, asked } = severalModels([HELPER]);
    const agent = anAgent({ model: OWN, helper_model: HELPER, followups: true });
    const { outcome } = await runAgent("hello", { agent, models });
    expect(asked).toEqual(["own", "helper", "own"]);
    expect(outcome.output.followups).not.toEqual([]);
    expect(outcome.output.metrics?.details?.followup_model).toMatchObject([{ id: "own" }]);
  });

  test.each([
    ["is asked for a name or a summary outside of a run", [], ["helper"]],
    ["is replaced there too where it fails", [HELPER], ["helper", "own"]],
  ])("%s", async (_, down, expected) => {
    const { models, asked } = severalModels(down);
    const options = {
      prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "Name it." }] }],
    };
    const call = { spec: OWN, helper: HELPER, user_id: null, key: "name#1", options };
    const needs = {
      models,
      dailyBudgets: async () => undefined,
      clock: { now: () => 0, sleep: async () => undefined },
    };
    const { text } = await answerWithinBudget(needs, call, new AbortController().signal);
    expect(text).toBe("You said: Name it.");
    expect(asked).toEqual(expected);
  });
});

describe("a component that names models", () => {
  const { models } = severalModels();
  const registry = { agents: [], teams: [], workflows: [], parts: { models: [HELPER, FOLLOWUPS] } };

  test("takes registered ones, and what is asked for follow-up questions", () => {
    const config = {
      helper_model: HELPER,
      followups: { model: { id: "followups", provider: "OpenAI" }, instructions: "Ask.", max_followups: 2 },
    };
    expect(resolveHelpers(config, registry, models)).toEqual({
      value: {
        helper_model: HELPER,
        followup_model: FOLLOWUPS,
        followup_instructions: "Ask.",
        followups: true,
        num_followups: 2,
      },
      faults: [],
    });
    const fallbacks = { fallback_models: [HELPER], fallback_config: { on_rate_limit: [FOLLOWUPS, OWN] } };
    expect(resolveFallbacks(fallbacks, registry, models)).toEqual({
      value: { fallback_models: [HELPER], fallback_config: { on_rate_limit: [FOLLOWUPS, OWN] } },
      faults: [],
    });
  });

  test("has a fault at each that is not registered, and at what is no list", () => {
    const faults = [
      ...resolveFallbacks(
        { fallback_models: [HELPER, "openai:other"], fallback_config: { on_luck: [] } },
        registry,
        models,
      ).faults,
      ...resolveHelpers({ helper_model: "openai:other", followups: { count: 1 } }, registry, models).faults,
    ];
    expect(faults.map(({ path }) => path).sort()).toEqual([
      "fallback_config",
      "fallback_models.1",
      "followups",
      "helper_model",
    ]);
  });
});
