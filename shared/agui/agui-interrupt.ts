import type { OpenInterrupt } from "../pauses/open-interrupts.ts";
import { isObject } from "../schemas/values/json-values.ts";

/** Members of an answer, as clients of this protocol call them. */
const theirs: Readonly<Record<string, string>> = { confirmed: "approved", note: "reason" };

/**
 * An interrupt as AG-UI's clients know it. A yes or no about a call is a `tool_call` there, answered by `approved`: libraries of
 * components, such as assistant-ui, have buttons for those, and for no others.
 */
export function aguiInterrupt({ interrupt, call }: Pick<OpenInterrupt, "interrupt" | "call">) {
  if (!call || interrupt.reason !== "confirmation") return interrupt;
  const { properties, required, ...more } = interrupt.responseSchema;
  const named = (name: unknown): string => theirs[String(name)] ?? String(name);
  const renamed = isObject(properties)
    ? Object.entries(properties).map(([name, schema]) => [named(name), schema])
    : [];
  const responseSchema = {
    ...more,
    properties: Object.fromEntries(renamed),
    required: Array.isArray(required) ? required.map(named) : [],
  };
  return { ...interrupt, reason: "tool_call", responseSchema };
}
