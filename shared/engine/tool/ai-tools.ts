import { isObject } from "../../schemas/values/json-values.ts";
import { isJsonSchema, type ObjectSchema } from "./declared-schema.ts";
import { defineTool, type Tool } from "./tool.ts";

/** A tool as `tool()` of the AI SDK and its MCP clients make it; its name is its key in a set. */
export type AiTool = {
  readonly type?: string | undefined;
  readonly description?: unknown;
  readonly inputSchema: unknown;
  readonly execute?: unknown;
  readonly needsApproval?: unknown;
};
export type AiToolSet = Readonly<Record<string, AiTool>>;

/** What an agent may declare as its tools. */
export type DeclaredTools = readonly (Tool | AiToolSet)[] | AiToolSet;

/**
 * The tools of a declaration in the form that the platform works with.
 *
 * @throws Error that names the tool which cannot be used here
 */
export const toolsOf = (declared: DeclaredTools): readonly Tool[] =>
  (Array.isArray(declared) ? declared : [declared]).flatMap((one: Tool | AiToolSet) => {
    refuseSource(one);
    return isTool(one) ? [one] : Object.entries(one).map(([name, tool]) => toolOf(name, tool));
  });

/** What `defineMcpTools` makes is no tool: which there are is known when a run needs them. */
function refuseSource(one: unknown): void {
  if (isObject(one) && typeof one.list === "function" && typeof one.name === "string")
    throw new Error(`${one.name} has many tools: give it in tool_sources, not in tools.`);
}

const isTool = (one: Tool | AiToolSet): one is Tool => typeof one.name === "string";

type Options = { toolCallId: string; messages: []; abortSignal: AbortSignal };
type Execute = (input: unknown, options: Options) => unknown;

function toolOf(name: string, tool: AiTool): Tool {
  refuseSource(tool);
  const { description, execute, needsApproval } = tool;
  if (!isObject(tool) || !("inputSchema" in tool))
    throw new Error(`the tool ${name} is neither made with defineTool nor with tool() of the AI SDK.`);
  if (tool.type?.startsWith("provider"))
    throw new Error(`the tool ${name} is executed by the provider of a model, which is not supported here.`);
  if (typeof needsApproval === "function")
    throw new Error(
      `the tool ${name} decides by itself whether it needs approval; say needsApproval: true, or make it with defineTool.`,
    );
  const traits = {
    name,
    description: typeof description === "string" ? description : name,
    parameters: parametersOf(name, tool.inputSchema),
    // It does not say what a second execution would do: a call that may have happened is not repeated without a person.
    effect: "once",
    ...(needsApproval === true && { requires_confirmation: true }),
  } as const;
  if (typeof execute !== "function") return defineTool({ ...traits, external_execution: true });
  const call = execute as Execute; // by the SDK's own types
  return defineTool({
    ...traits,
    execute: async (input, { tool_call_id, signal }) =>
      resultOf(await call.call(tool, input, { toolCallId: tool_call_id, messages: [], abortSignal: signal })),
  });
}

/** A schema of the AI SDK has a JSON Schema in it, and may be made when it is asked for. */
function parametersOf(name: string, declared: unknown): ObjectSchema {
  const made: unknown = typeof declared === "function" && !("~standard" in declared) ? declared() : declared;
  const schema = isObject(made) && "jsonSchema" in made && !("~standard" in made) ? made.jsonSchema : made;
  if (isObject(schema) && "then" in schema)
    throw new Error(`the tool ${name} makes its schema later; write it with zod, or as a JSON Schema.`);
  if (isJsonSchema(schema)) return { ...schema, type: "object" };
  return schema as ObjectSchema; // what is no schema is refused by `defineTool`
}

/** The last value of a tool that gives several; the text of an MCP server's answer. */
async function resultOf(value: unknown): Promise<unknown> {
  if (isObject(value) && Symbol.asyncIterator in value) {
    let last: unknown;
    for await (const one of value as unknown as AsyncIterable<unknown>) last = one; // as its symbol says
    return last;
  }
  const parts = isObject(value) && Array.isArray(value.content) ? value.content : [];
  const texts = parts.map((part) => (isObject(part) && part.type === "text" ? part.text : undefined));
  if (texts.length === 0 || texts.includes(undefined)) return value;
  if (isObject(value) && value.isError === true) throw new Error(texts.join("\n"));
  return texts.join("\n");
}
