import { type LanguageModelV4FinishReason, TypeValidationError } from "@ai-sdk/provider";
import { isObject } from "../../schemas/values/json-values.ts";

/** What the four wires say where an answer did not end by itself or with calls. */
const cuts: Readonly<Record<string, "length" | "content-filter">> = {
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_context_window_exceeded: "length",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  guardrail_intervened: "content-filter",
  refusal: "content-filter",
};

/**
 * Why a service ended its answer, as a chunk of its stream says it.
 *
 * The packages lose the reason when a later chunk cannot be read.
 *
 * @param chunk  of chat completions, responses, Anthropic messages or Bedrock converse, as it was sent
 * @returns undefined for a chunk that does not end an answer
 */
export function finishReasonIn(chunk: unknown): LanguageModelV4FinishReason | undefined {
  const raw = isObject(chunk) ? reasonIn(chunk) : undefined;
  return typeof raw === "string" ? { unified: cuts[raw] ?? "stop", raw } : undefined;
}

function reasonIn(chunk: Record<string, unknown>): unknown {
  const { type, choices, delta, response, messageStop } = chunk;
  if (type === "response.completed") return "completed";
  if (type === "response.incomplete") return memberOf(memberOf(response, "incomplete_details"), "reason");
  if (type === "message_delta") return memberOf(delta, "stop_reason");
  if (messageStop !== undefined) return memberOf(messageStop, "stopReason");
  return Array.isArray(choices) ? memberOf(choices[0], "finish_reason") : undefined;
}

/**
 * Whether an error within a stream means only that its package cannot read a chunk without content, as one with token
 * counts that are no numbers. Nothing of the answer is missing then.
 */
export function isUnreadableUsage(error: unknown): boolean {
  if (!TypeValidationError.isInstance(error) || !isObject(error.value)) return false;
  const { type, choices, metadata } = error.value;
  if (type === "response.completed" || type === "response.incomplete" || type === "message_delta")
    return true;
  if (metadata !== undefined && type === undefined) return true;
  return Array.isArray(choices) && isObject(error.value.usage) && choices.every(isWithoutContent);
}

const isWithoutContent = (choice: unknown): boolean =>
  Object.entries(memberOf(choice, "delta") ?? {}).every(
    ([name, value]) => name === "role" || value === null || value === "",
  );

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
