import { parseDeclaredSpec, parseModelSpec } from "../../schemas/values/model-spec.ts";
import type { ModelWindows } from "../../settings/values/model-windows.ts";

/** What fits into one call of a model, in tokens. */
export type ModelWindow = {
  /** Prompt and answer together. */
  readonly tokens: number;
  /** The longest answer, where the model has a limit of its own. */
  readonly most_output?: number;
  /** Whether it thinks before it answers, which counts as a part of the answer. */
  readonly thinks?: boolean;
};

type Row = readonly [id: RegExp, window: ModelWindow];

/**
 * Windows of models that have the same one at every service. Those of open models are not here: the server that runs one decides.
 * The first row that fits counts.
 *
 * @source pages of the vendors about their models, 2026-11
 */
const table: readonly Row[] = [
  [/claude-(?:3-(?:opus|sonnet|haiku)|v?2|instant)/, { tokens: 200_000, most_output: 4_096 }],
  [/claude-3-5/, { tokens: 200_000, most_output: 8_192 }],
  [/claude-/, { tokens: 200_000, most_output: 32_000 }],
  [/gpt-3\.5/, { tokens: 16_385, most_output: 4_096 }],
  [/gpt-4\.1/, { tokens: 1_047_576, most_output: 32_768 }],
  [/gpt-4o/, { tokens: 128_000, most_output: 16_384 }],
  [/gpt-4-(?:turbo|1106|0125)/, { tokens: 128_000, most_output: 4_096 }],
  [/gpt-4-32k/, { tokens: 32_768 }],
  [/gpt-4(?:-0613)?$/, { tokens: 8_192 }],
  [/gpt-[5-9]/, { tokens: 400_000, most_output: 128_000, thinks: true }],
  [/(?:^|[/.])o1-mini/, { tokens: 128_000, most_output: 65_536, thinks: true }],
  [/(?:^|[/.])o[134](?:-|$)/, { tokens: 200_000, most_output: 100_000, thinks: true }],
  [/nova-micro/, { tokens: 128_000, most_output: 5_000 }],
  [/nova-(?:lite|pro)/, { tokens: 300_000, most_output: 5_000 }],
  [/nova-premier/, { tokens: 1_000_000, most_output: 10_000 }],
  [/nova-2-lite/, { tokens: 1_000_000, most_output: 65_535 }],
  [/gemini-(?:1\.5|2\.0)/, { tokens: 1_048_576, most_output: 8_192 }],
  [/gemini-/, { tokens: 1_048_576, most_output: 65_535, thinks: true }],
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

/** Most tokens of an answer where nobody says otherwise, also of a model that thinks before. */
const USUAL_OUTPUT = 8_192;
const USUAL_OUTPUT_WITH_THOUGHTS = 32_768;

/** Most tokens that a model is let answer with where its agent sets no limit: never more than a quarter of its window. */
export function outputWithin({ tokens, most_output, thinks }: ModelWindow): number {
  const usual = thinks ? USUAL_OUTPUT_WITH_THOUGHTS : USUAL_OUTPUT;
  return Math.min(most_output ?? usual, usual, Math.floor(tokens / 4));
}
