import * as v from "valibot";
import type { Registry } from "../../define/registry.ts";
import type { Tool } from "../../tool/tool.ts";
import { type Built, unknownName, unusable } from "./built.ts";

const ToolConfig = v.union([
  v.pipe(
    v.string(),
    v.transform((name) => ({ name })),
  ),
  v.object({ name: v.string() }),
  v.pipe(
    v.object({ function: v.object({ name: v.string() }) }),
    v.transform((tool) => tool.function),
  ),
]);

/** The registered tools that a config names; only the name counts. */
export function resolveTools(config: unknown, { parts }: Registry): Built<Tool[]> {
  if (config === undefined || config === null) return { value: [], faults: [] };
  const parsed = v.safeParse(v.array(ToolConfig), config);
  if (!parsed.success)
    return { value: [], faults: [unusable("tools", "tools must be a list of tools with names")] };
  const named = new Map(parsed.output.map(({ name }, at) => [name, at]));
  const found = [...named].map(([name, at]) => ({ name, at, tool: registered(name, parts?.tools) }));
  return {
    value: found.flatMap(({ tool }) => tool ?? []),
    faults: found
      .filter(({ tool }) => !tool)
      .map(({ name, at }) => unknownName(`tools[${at}]`, `tool ${name} is not registered`)),
  };
}

const registered = (name: string, tools: readonly Tool[] = []): Tool | undefined =>
  tools.find((tool) => tool.name === name);
