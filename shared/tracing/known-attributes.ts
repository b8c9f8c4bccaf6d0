import type { Span } from "../schemas/traces/span.ts";

/** Attributes without those of which nothing is known. */
export function knownAttributes(
  attributes: Readonly<Record<string, Span["attributes"][string] | undefined>>,
): Span["attributes"] {
  const some: Span["attributes"] = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) some[name] = value;
  return some;
}
