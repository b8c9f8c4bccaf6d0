import * as v from "valibot";
import type { Fault } from "../../../errors.ts";
import { type Built, unusable } from "./built.ts";

/**
 * Reads plain settings of a config, one by one. Null and absent settings keep their defaults; settings without an entry
 * are ignored.
 *
 * @param within  path of the object in its config; empty for the config itself
 */
export function readSettings<E extends v.ObjectEntries>(
  config: Readonly<Record<string, unknown>>,
  entries: E,
  within = "",
): Built<{ -readonly [K in keyof E]?: v.InferOutput<E[K]> }> {
  const value: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [name, schema] of Object.entries(entries)) {
    if (config[name] === undefined || config[name] === null) continue;
    const parsed = v.safeParse(schema, config[name]);
    if (parsed.success) value[name] = parsed.output;
    else
      faults.push(
        unusable(
          within === "" ? name : `${within}.${name}`,
          `${name} is not usable: ${parsed.issues[0].message}`,
        ),
      );
  }
  // Each member has just been parsed by the schema of its name.
  return { value: value as { -readonly [K in keyof E]?: v.InferOutput<E[K]> }, faults };
}
