import { isObject } from "../../schemas/values/is-object.ts";

export type Tokens = { readonly input_tokens: number; readonly output_tokens: number };

/**
 * Where servers put the tokens that a task has used, and what they call them. The protocol has no place for it.
 *
 * @source ours and AgentOS: `metrics`; Google's Agent Development Kit: `adk_usage_metadata`; `usage` as in model interfaces
 */
const places = ["metrics", "usage", "adk_usage_metadata"] as const;
const inputs = ["input_tokens", "prompt_tokens", "promptTokenCount", "inputTokens"] as const;
const outputs = ["output_tokens", "completion_tokens", "candidatesTokenCount", "outputTokens"] as const;

/** Tokens in the metadata of a task, a status, a message or an artifact; undefined where it reports none. */
export function reportedUsage(metadata: unknown): Tokens | undefined {
  if (!isObject(metadata)) return undefined;
  const found = places.map((place) => metadata[place]).find(isObject);
  if (!found) return undefined;
  const input_tokens = countIn(found, inputs);
  const output_tokens = countIn(found, outputs);
  return input_tokens === undefined && output_tokens === undefined
    ? undefined
    : { input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 };
}

const countIn = (counts: Readonly<Record<string, unknown>>, names: readonly string[]): number | undefined => {
  const count = names.map((name) => counts[name]).find((value) => typeof value === "number");
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
};
