import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { createModels } from "../../../shared/engine/model/create-models.ts";
import { defineTool } from "../../../shared/engine/tool/tool.ts";
import type { Message } from "../../../shared/schemas/runs/run.ts";
import { packCheckpoint } from "../../../shared/stores/runs/checkpoint.ts";
import { storedResultsOf } from "../../../shared/stores/runs/stored-results.ts";
import { anAgent, eventsOf, runAgent } from "../../engine/support/run-agent.ts";
import { anthropicCache } from "../../support/hostile-model/anthropic-cache.ts";
import { useBedrockCredentials, useHostileModel } from "../../support/hostile-model/use-hostile-model.ts";
import { objectsInMemory } from "../../support/objects-in-memory.ts";

useBedrockCredentials();
const hostile = useHostileModel();

const SPEC = "anthropic:claude-hostile";
const WINDOW = 8_192;
const STEPS = 500;
const FACTS = 100;

/** The call whose connection breaks before anything is answered. */
const BROKEN_AT = 250;

const factOf = (page: number): string => `the code of page ${page} is ${(page * 7_919) % 100_003}`;

/** How the facts are asked for: by each tool in turn; where one is read by its line, that is searched for before. */
const questions = Array.from({ length: FACTS }, (_, at) => at).flatMap((at) => {
  const page = at * (STEPS / FACTS);
  const searched = { page, tool: "search_result" };
  if (at % 3 === 0) return [searched];
  return at % 3 === 1
    ? [{ page, tool: "search_compacted_history" }]
    : [searched, { page, tool: "read_result" }];
});

/** About 250 tokens; every fifth page has a fact in its middle. */
const lookUp = defineTool({
  name: "look_up",
  description: "Look up a page.",
  parameters: v.object({ page: v.number() }),
  effect: "safe",
  execute: ({ page }) => {
    const filler = `Nothing of note happened on day ${page}, and all went on as before. `.repeat(8);
    return `${filler}\n${page % (STEPS / FACTS) === 0 ? `${factOf(page)}.` : "-"}\n${filler}`;
  },
});

type Body = Readonly<Record<string, unknown>>;

/** As the stand-in counts: four characters are a token. */
const tokensOf = ({ system, messages, tools }: Body): number =>
  Math.ceil(JSON.stringify([system, messages, tools]).length / 4);

/** How many calls of the run are over: what is asked twice is the same call. */
const answered = ({ messages }: Body): number => {
  const ids = [...JSON.stringify(messages).matchAll(/"tool_use_id":"call-(\d+)"/g)];
  return ids.length === 0 ? 0 : Number(ids.at(-1)?.[1]) + 1;
};

describe("a run of 500 steps in a window of 8,192 tokens", () => {
  test("ends without a failure, and finds each of 100 facts that have left its prompt", async () => {
    const cache = anthropicCache({ minimum: 512 });
    let lost = 0;
    let refused = 0;
    let longest = 0;
    const usages: { input: number; cacheRead: number; cacheWrite: number }[] = [];
    hostile().plan("plan-500", ({ body }) => {
      const tokens = tokensOf(body) + Number(body.max_tokens ?? 0);
      if (tokensOf(body) > WINDOW) {
        refused += 1;
        const message = `prompt is too long: ${tokensOf(body)} tokens > ${WINDOW} maximum`;
        return { fails: { kind: "status", status: 400, message } };
      }
      if (refused > 0) longest = Math.max(longest, tokens);
      const at = answered(body);
      // A connection that breaks now and then is part of hundreds of calls; the call is made again, and answered the same.
      if (at === BROKEN_AT && lost++ === 0) return { fails: { kind: "reset", when: "before_headers" } };
      const counted = cache.count(body);
      usages.push(counted);
      const usage = { ...counted, output: 30 };
      const call = (name: string, args: object) => ({
        calls: [{ id: `call-${at}`, name, arguments: JSON.stringify(args) }],
        usage,
      });
      if (at < STEPS) return call("look_up", { page: at });
      const asked = questions[at - STEPS];
      if (!asked) return { text: ["Done."], usage };
      const prompt = JSON.stringify(body.messages);
      const result_id = /find everything in (res_[0-9a-f]{10})/.exec(prompt)?.[1];
      const pattern = { pattern: `code of page ${asked.page} is`, context_lines: 0 };
      if (asked.tool === "search_compacted_history") return call(asked.tool, pattern);
      if (asked.tool === "search_result") return call(asked.tool, { result_id, ...pattern });
      const line = Number(new RegExp(`(\\d+): the code of page ${asked.page} is`).exec(prompt)?.[1]);
      return call(asked.tool, { result_id, start_line: line, end_line: line });
    });
    // Its window is not known: the first prompt that is too long for it says it.
    const models = createModels({ ...hostile().environment, MODEL: SPEC });
    const results = storedResultsOf(
      { objects: objectsInMemory() },
      { owner: "maria", session_id: "session-1" },
    );
    const agent = anAgent({ model: SPEC, tools: [lookUp], max_steps: 1_000, loop_limit: 0, retries: 2 });
    const begun = process.cpuUsage();
    const run = await runAgent("plan-500", { agent, models, results });
    const { user, system } = process.cpuUsage(begun);

    const { output } = run.outcome;
    expect(output).toMatchObject({ status: "COMPLETED", content: "Done." });
    expect(refused).toBe(1);
    expect(lost).toBe(2);
    const messages = (output.messages ?? []) as Message[];
    const answers = messages.filter(({ role }) => role === "tool").map(({ content = "" }) => content);
    expect(answers).toHaveLength(STEPS + questions.length);
    const found = questions.filter(({ page }, at) => answers[STEPS + at]?.includes(factOf(page))).length;
    const whole = answers
      .slice(0, STEPS)
      .filter((content, page) => content.includes(`on day ${page},`)).length;
    const breaks = output.metrics?.additional_metrics?.cache?.breaks ?? [];
    const checkpoint = packCheckpoint({ state: { messages, tools: output.tools } }).length;
    const sum = (part: "input" | "cacheRead" | "cacheWrite") =>
      usages.reduce((total, usage) => total + usage[part], 0);
    const all = sum("input") + sum("cacheRead") + sum("cacheWrite");
    console.info(
      JSON.stringify({
        steps: STEPS + questions.length,
        processor_seconds: Math.round((user + system) / 10_000) / 100,
        input_tokens: all,
        longest_prompt_and_answer: longest,
        read_from_cache: Math.round((sum("cacheRead") / all) * 1_000) / 1_000,
        cache_breaks: breaks.length,
        folds: eventsOf(run, "CompactionCompleted").length,
        clearings: eventsOf(run, "CompressionCompleted").length,
        checkpoint_bytes: checkpoint,
        facts_found: found,
      }),
    );
    expect(longest).toBeLessThanOrEqual(WINDOW);
    expect(found).toBe(questions.length);
    expect(whole).toBe(STEPS);
    expect(breaks.length).toBeLessThan((STEPS + questions.length) / 8);
    expect(checkpoint).toBeLessThan(300_000);
  }, 600_000);
});
