import type { Operations } from "../../../client/index.ts";

type Entry = Operations["listRegistry"]["answer"]["data"][number];
type Fields = Readonly<Record<string, unknown>>;

/**
 * What a config names that the registry does not have. The platform stores such a config, but its runs are refused, or
 * go without that part.
 *
 * @param entries  everything that is registered; without them nothing can be said
 */
export function configProblems(config: Fields, entries: readonly Entry[] | undefined): readonly string[] {
  if (!entries) return [];
  const has = (type: Entry["type"], name: string) =>
    entries.some((entry) => entry.type === type && (entry.name === name || entry.id === name));
  const tools = (Array.isArray(config.tools) ? config.tools : []).map((tool) =>
    typeof tool === "string" ? tool : String((tool as Fields | null)?.name ?? ""),
  );
  const functions = functionsIn(config.steps);
  const { output_schema: output, input_schema: input } = config;
  const schemas = [output, input].filter((one): one is string => typeof one === "string");
  return [
    ...tools.filter((name) => !has("tool", name)).map((name) => `No tool “${name}” is registered.`),
    ...functions
      .filter((name) => !has("function", name))
      .map((name) => `No function “${name}” is registered.`),
    ...schemas.filter((name) => !has("schema", name)).map((name) => `No schema “${name}” is registered.`),
  ];
}

function functionsIn(steps: unknown): readonly string[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: Fields | null) => [
    ...(typeof step?.executor_ref === "string" ? [step.executor_ref] : []),
    ...functionsIn(step?.steps),
    ...functionsIn(step?.else_steps),
    ...functionsIn(step?.choices),
  ]);
}
