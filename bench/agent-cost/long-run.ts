import { createHash } from "node:crypto";
import * as v from "valibot";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { executeAgentRun } from "../../shared/engine/loop/execute-agent-run.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { Skill } from "../../shared/engine/skill/skill.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { storedResultsOf } from "../../shared/stores/runs/stored-results.ts";
import { anthropicCache } from "../../test/support/hostile-model/anthropic-cache.ts";
import { startHostileModel } from "../../test/support/hostile-model/start-hostile-model.ts";
import { objectsInMemory } from "../../test/support/objects-in-memory.ts";

/*
 * One run of hundreds of steps: an agent looks up pages, of which every twentieth is long, by a handbook of 21 files. What it costs
 * with everything the platform does for long runs, with everything but one part, and with none of it. Each run makes the same calls.
 */

const SPEC = "anthropic:claude-hostile";
const HELPER = "anthropic:claude-hostile-helper";
/** Dollars for a million tokens of Claude Sonnet and Claude Haiku; those of the cache follow from them. */
const prices = {
  [SPEC]: { input_per_million: 3, output_per_million: 15 },
  [HELPER]: { input_per_million: 1, output_per_million: 5 },
};
const PLAN = "plan-long";
const WINDOW = 1_000_000;
const COMPACT_AT = 40_000;
const STEPS = Number(process.env.STEPS ?? 400);

const lookUp = defineTool({
  name: "look_up",
  description: "Looks a page up.",
  parameters: v.object({ page: v.number() }),
  effect: "safe",
  execute: ({ page }) => {
    const line = createHash("sha256").update(String(page)).digest("hex");
    // The stand-in knows by this name what is asked of it, also where a helper is shown the pages alone.
    return `Page ${page} of ${PLAN}\n${`${line}\n`.repeat(page % 20 === 19 ? 900 : 40)}`;
  },
});

const references = Array.from({ length: 20 }, (_, at) => `case-${at}.md`);
const texts = {
  "SKILL.md": `---\nname: handbook\ndescription: How pages are looked up and judged. Use it before you look one up.\n---\n${"Follow the rules of the house. ".repeat(190)}`,
  ...Object.fromEntries(
    references.map((name) => [
      `references/${name}`,
      `# ${name}\n${"In this case do as follows. ".repeat(70)}`,
    ]),
  ),
};
const handbook: Skill = {
  folder: "handbook",
  name: "handbook",
  description: "How pages are looked up and judged. Use it before you look one up.",
  ...{ scripts: [], assets: [], references, texts },
};

/** What the platform does for a run; a part that is left out is switched off by its setting. */
export const parts = [
  "caching",
  "off-load",
  "clearing and folding",
  "summaries by a helper",
  "skills",
] as const;
type Part = (typeof parts)[number];

export type LongRun = {
  readonly calls: number;
  readonly input: number;
  readonly read: number;
  readonly dollars: number;
  readonly folds: number;
  readonly clearings: number;
};

/** Executes the run. @param used what the platform does for it */
export async function longRun(used: ReadonlySet<Part>): Promise<LongRun> {
  const hostile = await startHostileModel();
  const cache = anthropicCache();
  let calls = 0;
  hostile.plan(PLAN, ({ body }) => {
    if (body.model === HELPER.split(":")[1]) return summary(body);
    const at = calls++;
    const usage = { ...cache.count(body), output: 60 };
    const call = (name: string, args: object) => ({
      calls: [{ id: `call-${at}`, name, arguments: JSON.stringify(args) }],
      usage,
    });
    if (at === 0 && used.has("skills")) return call("get_skill_instructions", { skill_name: "handbook" });
    if (at === 1 && used.has("skills"))
      return call("get_skill_reference", { skill_name: "handbook", reference_path: "case-7.md" });
    return at < STEPS ? call("look_up", { page: at }) : { text: ["Done."], usage };
  });
  let [ids, folds, clearings] = [0, 0, 0];
  const { status, output } = await executeAgentRun(agentWith(used), request, {
    models: modelsOf(hostile, used),
    results: storedResultsOf({ objects: objectsInMemory() }, { owner: "maria", session_id: "session" }),
    clock: systemClock,
    newId: () => `id-${++ids}`,
    signal: new AbortController().signal,
    emit: ({ event }) => {
      if (event === "CompactionCompleted") folds += 1;
      if (event === "CompressionCompleted") clearings += 1;
    },
  });
  await hostile.stop();
  if (status !== "COMPLETED") throw new Error(`the run is ${status}`);
  const { input_tokens = 0, cache_read_tokens = 0, cost = 0 } = output.metrics ?? {};
  return { calls, input: input_tokens, read: cache_read_tokens, dollars: cost, folds, clearings };
}

/** Half a page, whatever was to be summed up. */
const summary = (body: unknown) => ({
  text: ["Pages were looked up, and nothing of note was found on them. ".repeat(40)],
  usage: { input: Math.ceil(JSON.stringify(body).length / 4), output: 620 },
});

const request = {
  ...{ run_id: "run", session_id: "session", user_id: null, input: `${PLAN}: look every page up` },
  ...{ history: [], session_state: {}, created_at: 0 },
};

const agentWith = (used: ReadonlySet<Part>) =>
  defineAgent({
    id: "reader",
    name: "Reader",
    instructions: used.has("skills") ? "Work carefully." : Object.values(texts).join("\n"),
    ...(used.has("skills") && { skills: [handbook] }),
    tools: [lookUp],
    max_steps: 10_000,
    loop_limit: 0,
    offload_tool_results: used.has("off-load"),
    compaction: used.has("clearing and folding") ? { compact_at_tokens: COMPACT_AT } : false,
    ...(used.has("summaries by a helper") && { helper_model: HELPER }),
  });

const modelsOf = (hostile: Awaited<ReturnType<typeof startHostileModel>>, used: ReadonlySet<Part>) =>
  createModels({
    ...hostile.environment,
    MODEL: SPEC,
    MODEL_PRICES: prices,
    MODEL_WINDOWS: { [SPEC]: WINDOW },
    PROMPT_CACHE: used.has("caching") ? "on" : "off",
    MODEL_PROVIDERS: { anthropic: { baseUrl: `${hostile.url}/v1` } },
  });

const row = (name: string, { calls, input, read, dollars, folds, clearings }: LongRun): string =>
  `| ${[name, calls, input.toLocaleString("en"), `${Math.round((read / input) * 100)} %`, clearings, folds, `$${dollars.toFixed(2)}`].join(" | ")} |`;

/** Prints what the run costs, as a table of Markdown. */
export async function printLongRun(): Promise<void> {
  const all = await longRun(new Set(parts));
  console.log("| What | calls | input tokens | read from the cache | clearings | folds | cost |");
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  console.log(row("everything", all));
  for (const part of parts)
    console.log(row(`all but ${part}`, await longRun(new Set(parts.filter((one) => one !== part)))));
  console.log(row("nothing of it", await longRun(new Set())));
}
