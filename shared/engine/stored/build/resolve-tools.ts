import * as v from "valibot";
import type { Registry } from "../../define/registry.ts";
import type { Tool } from "../../tool/tool.ts";
import type { Built } from "./built.ts";

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

/** The registered tools that a config names; only the name counts. @source contract, components-and-platform A7, tools */
export function resolveTools(config: unknown, { parts }: Registry): Built<Tool[]> {
  if (config === undefined || config === null) return { value: [], errors: [] };
  const parsed = v.safeParse(v.array(ToolConfig), config);
  if (!parsed.success) return { value: [], errors: ["tools must be a list of tools with names"] };
  const names = [...new Set(parsed.output.map(({ name }) => name))];
  const found = names.map((name) => parts?.tools?.find((tool) => tool.name === name) ?? name);
  return {
    value: found.filter((tool) => typeof tool !== "string"),
    errors: found.filter((tool) => typeof tool === "string").map((name) => `tool ${name} is not registered`),
  };
}
