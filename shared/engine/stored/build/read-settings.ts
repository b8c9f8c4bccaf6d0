import * as v from "valibot";
import type { Built } from "./built.ts";

/**
 * Reads what a config says of plain settings, member by member. Null and what is absent stay at their defaults; members
 * that are not of the entries are ignored.
 *
 * @source contract, components-and-platform A7
 */
export function readSettings<E extends v.ObjectEntries>(
  config: Readonly<Record<string, unknown>>,
  entries: E,
): Built<{ -readonly [K in keyof E]?: v.InferOutput<E[K]> }> {
  const value: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, schema] of Object.entries(entries)) {
    if (config[name] === undefined || config[name] === null) continue;
    const parsed = v.safeParse(schema, config[name]);
    if (parsed.success) value[name] = parsed.output;
    else faults.push(`${name} is not usable: ${parsed.issues[0].message}`);
  }
  // Each member has just been parsed by the schema of its name.
  return { value: value as { -readonly [K in keyof E]?: v.InferOutput<E[K]> }, faults };
}
