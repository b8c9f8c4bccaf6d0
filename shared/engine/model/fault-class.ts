import type { ModelFallback } from "../../schemas/runs/run.ts";
import type { RunFault } from "./model-fault.ts";

/** What kind of failure a model call met, as far as another model may help; `client` is answered by none. */
export type FaultClass = ModelFallback["class"];

/** What services say of a prompt that is longer than their model's window. A bare `max_tokens` is about the answer. */
const tooLong = [
  /context.?length|context.?window|context.?limit/i,
  /prompt is too long|input is too long|input (?:is )?longer than|too many (?:input )?tokens/i,
  // Gemini names the count between these words, OpenAI the limit behind them.
  /token count(?: \([\d,]+\))? exceeds|input tokens exceed/i,
];

/** @param hasBegun  whether a part of the answer had arrived */
export function faultClass(
  { cause, text, again, error_type, thrown }: RunFault,
  hasBegun: boolean,
): FaultClass {
  if (error_type === "content_filter") return "refused";
  if (cause === "throttled") return "rate_limit";
  if ((cause === "input" || cause === "model") && tooLong.some((saying) => saying.test(text)))
    return "context_overflow";
  if (cause !== "model" || !(again || isOutage(thrown))) return "client";
  return hasBegun ? "broken" : "unavailable";
}

/** Whether the service itself failed, for however long. */
function isOutage(thrown: unknown): boolean {
  const status: unknown =
    thrown !== null && typeof thrown === "object" ? Reflect.get(thrown, "statusCode") : undefined;
  return typeof status === "number" && (status >= 500 || status === 408 || status === 409);
}
