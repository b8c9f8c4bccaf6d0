import { describe, expect, test } from "vitest";
import { resolveCompaction } from "../../shared/engine/component/build/resolve-compaction.ts";
import type { Agent } from "../../shared/engine/define/agent.ts";
import { defineRegistry } from "../../shared/engine/define/registry.ts";
import { messageText } from "../../shared/engine/model/parse-script.ts";
import type { CompactionSettings } from "../../shared/engine/model/windows.ts";
import { stateFromRun } from "../../shared/engine/run/state-from-run.ts";
import type { Message } from "../../shared/schemas/runs/run.ts";
import { anAgent, aRequest, eventsOf, runAgent, scripted } from "./support/run-agent.ts";
import {
  agentWith,
  finish,
  known,
  lookingUp,
  strictModel,
  tokensOf,
  WINDOW,
  withStore,
} from "./support/strict-model.ts";
import { watchedModel } from "./support/watched-model.ts";

/** A run of so many calls. @param window what the platform knows of it */
async function looksUp(agent: Agent, steps: number, window: number | null = WINDOW) {
  const { models, prompts, refused } = strictModel(lookingUp(steps));
  const run = await runAgent("go", withStore({ agent, models: known(models, window ?? undefined) }));
  const { status } = run.outcome.output;
  const folds = eventsOf(run, "CompactionCompleted");
  return { run, prompts, refused, status, folds, last: JSON.stringify(prompts.at(-1)) };
}

/** A run whose beginning another model is asked to sum up. @param says that model's answer */
async function summedUp(says: string, settings: CompactionSettings) {
  const asked: string[] = [];
  const summing = watchedModel((prompt) => {
    asked.push(messageText(prompt[0]));
    return [
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: says },
      { type: "text-end", id: "t" },
      finish(prompt, "stop"),
    ];
  });
  const own = strictModel(lookingUp(25));
  const models = {
    ...known(own.models, WINDOW),
    resolve: (spec?: string) => (spec === "scripted:sums" ? summing.models.resolve() : own.models.resolve()),
    describe: (spec?: string) => ({
      ...{ id: spec === "scripted:sums" ? "sums" : "own", provider: "Test" },
      price: { input_per_million: spec === "scripted:sums" ? 1 : 100, output_per_million: 100 },
    }),
  };
  const compaction = { model: "scripted:sums", ...settings };
  const run = await runAgent("go", withStore({ agent: { ...agentWith(1_000), compaction }, models }));
  expect(run.outcome.output.status).toBe("COMPLETED");
  expect(own.refused).toEqual([]);
  return { asked, last: JSON.stringify(own.prompts.at(-1)), output: run.outcome.output };
}

describe("what an agent says of its prompts:", () => {
  test("from which size on something leaves them, also where the window is not known", async () => {
    const agent = { ...agentWith(1_000), compaction: { compact_at_tokens: 2_500 } };
    const { status, refused, prompts, folds } = await looksUp(agent, 25, null);
    expect({ status, refused }).toEqual({ status: "COMPLETED", refused: [] });
    expect(folds.length).toBeGreaterThan(1);
    expect(Math.max(...prompts.map(tokensOf))).toBeLessThan(4_000);
  });

  test("that nothing leaves them but the middle of long results, where no call could be made otherwise", async () => {
    const agent = { ...agentWith(3_900), offload_tool_results: false, compaction: false };
    const { run, status, refused, last } = await looksUp(agent, 11);
    expect({ status, refused }).toEqual({ status: "COMPLETED", refused: [] });
    expect(run.order.filter((event) => /^Comp/.test(event))).toEqual([]);
    expect(last).toContain("characters are left out");
    expect(last).toContain("fact 0 is 0.");
  });

  test("that a prompt which a service refuses is not made shorter", async () => {
    const agent = { ...agentWith(1_000), compaction: { on_context_overflow: false } };
    const { models, refused } = strictModel(lookingUp(40));
    const run = await runAgent("go", withStore({ agent, models: known(models, undefined) }));
    expect(refused).toHaveLength(1);
    expect(eventsOf(run, "RunError")).toMatchObject([{ error_id: "context_window_exceeded_error" }]);
  });

  test("that results are shown by their heads before anything is folded, however little that frees", async () => {
    const first = async (compress_tool_results: boolean) => {
      const agent = { ...agentWith(700), instructions: "Be kind. ".repeat(1_300), compress_tool_results };
      return (await looksUp(agent, 14)).run.order.find((event) => /^Comp/.test(event));
    };
    expect(await first(false)).toBe("CompactionStarted");
    expect(await first(true)).toBe("CompressionStarted");
  });

  test("that what leaves them is not stored", async () => {
    const agent = { ...agentWith(1_000), compaction: { store_compacted_messages: false } };
    const { folds, last } = await looksUp(agent, 25);
    expect(folds[0]).toMatchObject({ archived: false });
    expect(last).toContain("It cannot be read again.");
  });

  test("which model sums up, how, and how much it may say", async () => {
    const instructions = "Sum up in one line.";
    const { asked, last, output } = await summedUp("All is well so far.", {
      instructions,
      compacted_token_budget: 100,
    });
    expect(asked[0]).toBe("Sum up in one line. It has at most 300 characters.");
    expect(last).toContain("All is well so far.");
    const { model: [own] = [], compaction_model: [sums] = [] } = output.metrics?.details ?? {};
    const { metrics } = output;
    expect([own?.id, sums?.id]).toEqual(["own", "sums"]);
    expect(metrics?.total_tokens).toBe((own?.total_tokens ?? 0) + (sums?.total_tokens ?? 0));
    expect(sums?.cost).toBeCloseTo(((sums?.input_tokens ?? 0) + 100 * (sums?.output_tokens ?? 0)) / 1e6, 12);
    expect(metrics?.cost).toBeCloseTo((own?.cost ?? 0) + (sums?.cost ?? 0), 12);
    // A process that continues the run goes on from these counts.
    const { folds_used = {} } = stateFromRun(output, [], 0);
    expect(Object.values(folds_used).map(({ input_tokens }) => input_tokens)).toEqual([sums?.input_tokens]);
  });

  test("that a summary longer than its budget is taken, as long as it is shorter than what it stands for", async () => {
    const long = `${"All is well. ".repeat(40)}So far.`;
    const budget = { compacted_token_budget: 100 };
    expect((await summedUp(long, budget)).last).not.toContain(long);
    expect((await summedUp(long, { ...budget, enforce_token_budget: false })).last).toContain(long);
    const longer = "All is well. ".repeat(2_000);
    const { last } = await summedUp(longer, { ...budget, enforce_token_budget: false });
    expect(last).not.toContain(longer);
    expect(last).toContain("- look_up(");
  });

  test("that the beginning stays until it is so many times as long as the rest, unless no call could be made", async () => {
    const first = async (compaction: CompactionSettings, window: number | null) => {
      const settings = { compact_at_tokens: 2_500, ...compaction };
      const agent = { ...agentWith(1_000), offload_tool_results: false, compaction: settings };
      const { folds, prompts, status, refused } = await looksUp(agent, 25, window);
      expect({ status, refused }).toEqual({ status: "COMPLETED", refused: [] });
      return { before: folds[0]?.tokens_before ?? 0, longest: Math.max(...prompts.map(tokensOf)) };
    };
    const always = await first({ min_fold_ratio: 4 }, null);
    const twice = await first({ enforce_min_fold_ratio: true }, null);
    const late = await first({ enforce_min_fold_ratio: true, min_fold_ratio: 4 }, null);
    expect(twice.before).toBeGreaterThanOrEqual(always.before);
    expect(late.before).toBeGreaterThan(twice.before);
    const forced = await first({ enforce_min_fold_ratio: true, min_fold_ratio: 1_000 }, WINDOW);
    expect(forced.before).toBeGreaterThan(late.before);
    expect(forced.longest).toBeLessThan(WINDOW);
  });

  test("how many runs of the history stay", async () => {
    const history = Array.from(
      { length: 12 },
      (_, at): Message => ({
        id: `h${at}`,
        role: at % 2 === 0 ? "user" : "assistant",
        content: `${at}: ${"I see. ".repeat(300)}`,
        from_history: true,
        stop_after_tool_call: false,
        created_at: 1,
      }),
    );
    const { models, prompts } = strictModel(() => undefined);
    const agent = anAgent({ add_history_to_context: true, compaction: { uncompacted_runs: 2 } });
    const request = aRequest("and now?", { history });
    await runAgent("and now?", { agent, request, models: known(models, WINDOW) });
    const shown = prompts[0]?.map((message) => messageText(message).slice(0, 3)) ?? [];
    expect(shown.filter((text) => /^\d+:/.test(text))).toEqual(["8: ", "9: ", "10:", "11:"]);
  });
});

describe("a stored component", () => {
  const models = scripted();
  const registry = defineRegistry({ parts: { models: ["scripted"] } });
  const resolve = (config: unknown) => resolveCompaction(config, registry, models);

  test("has the settings that it names", () => {
    expect(resolve(false)).toEqual({ value: { compaction: false }, faults: [] });
    expect(resolve(undefined)).toEqual({ value: {}, faults: [] });
    expect(resolve({ compact_at_tokens: 150_000, uncompacted_runs: 5, min_fold_ratio: 2.5 })).toEqual({
      value: { compaction: { compact_at_tokens: 150_000, uncompacted_runs: 5, min_fold_ratio: 2.5 } },
      faults: [],
    });
  });

  test.each([
    [{ uncompacted_runs: 5, uncompacted_tokens: 1_000 }, "compaction", /exclude each other/],
    [
      { store_compacted_messages: false, search_compacted_messages: true },
      "compaction",
      /not stored .* cannot be searched/,
    ],
    [{ compact_at_tokens: 0 }, "compaction", /compact_at_tokens/],
    [{ min_fold_ratio: -1 }, "compaction", /min_fold_ratio/],
    [{ compact_at: 1 }, "compaction", /compact_at/],
    ["yes", "compaction", /true, false or an object/],
    [{ model: "openai:unknown" }, "compaction.model", /not registered/],
  ])("is refused with %j", (config, path, message) => {
    expect(resolve(config).faults).toMatchObject([{ path, message: expect.stringMatching(message) }]);
  });
});
