import { parseDeclaredSpec, parseModelSpec } from "../../schemas/values/model-spec.ts";
import type { ModelWindows } from "../../settings/values/model-windows.ts";

/** What fits into one call of a model, in tokens. */
export type ModelWindow = {
  /** Prompt and answer together. */
  readonly tokens: number;
  /** The longest answer, where the model is known to have a limit of its own. */
  readonly most_output?: number;
};

type Row = readonly [id: RegExp, window: ModelWindow];

/**
 * Windows of models that have the same one at every service. Those of open models are not here: the server that runs one decides.
 * The first row that fits counts; where sources differ, the smaller number is here.
 *
 * @source `@ai-sdk/anthropic` for the longest answers of Claude; pages of others about the models of Anthropic, OpenAI and Amazon,
 *         2026-11, since the makers' own were not at hand. GPT-5 takes 272,000 tokens of input, its answer beside them
 */
const table: readonly Row[] = [
  [/claude-(?:opus|sonnet)-[5-9](?:\b|-)/, { tokens: 1_000_000, most_output: 128_000 }],
  [/claude-(?:[a-z]+-[5-9]|(?:opus|sonnet)-4-[678])/, { tokens: 200_000, most_output: 128_000 }],
  [/claude-(?:[a-z]+-4-5|sonnet-4)/, { tokens: 200_000, most_output: 64_000 }],
  [/claude-opus-4/, { tokens: 200_000, most_output: 32_000 }],
  [/claude-3(?:-opus|-haiku|-sonnet)/, { tokens: 200_000, most_output: 4_096 }],
  [/claude-/, { tokens: 200_000 }],
  [/gpt-4\.1/, { tokens: 1_047_576, most_output: 32_768 }],
  [/gpt-4o/, { tokens: 128_000, most_output: 16_384 }],
  [/gpt-5/, { tokens: 272_000 }],
  [/(?:^|[/.])o(?:1|3|4-mini)(?:-\d{4}|$)/, { tokens: 200_000, most_output: 100_000 }],
  [/nova-micro/, { tokens: 128_000 }],
  [/nova-lite/, { tokens: 300_000 }],
  [/nova-pro/, { tokens: 300_000 }],
];

/**
 * The window of a model.
 *
 * @param configured  windows that the operator has set; they come before what the table knows
 * @returns undefined where it is not known
 */
export function windowOf(spec: string, configured: ModelWindows = {}): ModelWindow | undefined {
  const named = parseModelSpec(spec) ?? parseDeclaredSpec(spec);
  const known = named && table.find(([id]) => id.test(named.id))?.[1];
  const tokens = configured[spec];
  return tokens === undefined ? known : { ...known, tokens };
}

/** What services say of the most that a prompt may have. */
const limits = [
  /maximum context length (?:is|of) ([\d,_]+)/i,
  /> ?([\d,_]+) maximum/i,
  /context limit: [\d,_ +]+> ?([\d,_]+)/i,
  /limit of ([\d,_]+) tokens/i,
  /maximum (?:number of )?(?:input )?tokens (?:allowed )?\(?([\d,_]+)/i,
  /context (?:window|length|size)[^\d.]{0,40}?([\d,_]+)/i,
];

/** The window that the text of a refusal names; undefined where it names none. */
export function windowIn(text: string): number | undefined {
  for (const limit of limits) {
    const tokens = Number(limit.exec(text)?.[1]?.replace(/[,_]/g, ""));
    if (tokens >= 1_000) return tokens;
  }
  return undefined;
}

/** How a run's prompts are kept within their model's window. What is absent follows from the window. */
export type CompactionSettings = {
  /** Specification of the model that sums up; the helper when absent. */
  readonly model?: string | undefined;
  /** Replaces what the model is asked for a summary with. */
  readonly instructions?: string | undefined;
  /** From this size of a prompt on, in tokens, its beginning leaves it; 80 % of the window, less room for an answer, when absent. */
  readonly compact_at_tokens?: number | undefined;
  /** About how many tokens of the newest answers, with their results, stay; 15 % of the window when absent. */
  readonly uncompacted_tokens?: number | undefined;
  /** How many of the latest runs of the history stay while the run has little of its own; none when absent. */
  readonly uncompacted_runs?: number | undefined;
  /** Longest summary or list, in tokens; 10 % of the window when absent. */
  readonly compacted_token_budget?: number | undefined;
  /** Whether a summary that is longer than its budget is given up for a list; yes when absent. Without, the budget is what is asked for. */
  readonly enforce_token_budget?: boolean | undefined;
  /** Whether the beginning stays until it is so much longer than the rest; no when absent, and never where no call could be made. */
  readonly enforce_min_fold_ratio?: boolean | undefined;
  /** How many times as long as what stays that must be which leaves a prompt; 2 when absent. */
  readonly min_fold_ratio?: number | undefined;
  /** Whether what leaves a prompt is stored, and can be found by the model's tools; yes when absent. */
  readonly store_compacted_messages?: boolean | undefined;
  readonly search_compacted_messages?: boolean | undefined;
  /** Whether a call that a service refuses as too long is made again with a shorter prompt; yes when absent. */
  readonly on_context_overflow?: boolean | undefined;
};

/** The part of an agent's settings that says what leaves its prompts. */
export type Compacting = {
  readonly compaction?: boolean | CompactionSettings;
  /** Whether older results are shown by their heads also where that frees less than a fifth of the window. */
  readonly compress_tool_results?: boolean;
};

/** @returns undefined for an agent whose prompts are cut only where no call could be made otherwise */
export function compactionOf({ compaction = true }: Compacting): CompactionSettings | undefined {
  if (compaction === false) return undefined;
  return compaction === true ? {} : compaction;
}

/** Whether what leaves a prompt is to be found again. */
export const archives = ({
  store_compacted_messages = true,
  search_compacted_messages = true,
}: CompactionSettings) => store_compacted_messages && search_compacted_messages;
