import * as v from "valibot";
import { type Elsewhere, isCallWait } from "../../../shared/engine/tool/elsewhere.ts";
import { defineMcpTools } from "../../../shared/engine/tool/mcp/define-mcp-tools.ts";
import type { Tool, ToolContext } from "../../../shared/engine/tool/tool.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";

/**
 * What the kit tests as a client: the tools of its server as an agent has them, listed, and called as the scenario wants it. What the
 * server asks is answered with what its form has as defaults, by another process: nothing is kept but what a run keeps.
 */
const [url = ""] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: given = "{}" } = process.env;
const Calls = v.object({
  toolCalls: v.optional(
    v.array(v.object({ name: v.string(), arguments: v.optional(v.record(v.string(), v.unknown()), {}) })),
  ),
});
const { toolCalls } = v.parse(Calls, parsedJson(given));

const asking = { run_id: "run-1", session_id: "session-1", user_id: "maria", secrets: {} };
const signal = new AbortController().signal;
const connected = () => defineMcpTools({ url }).list(signal, asking);

/** The tools do not ask the context for anything else. */
const context = { ...asking, signal } as unknown as ToolContext<string>;

async function call(name: string, args: Record<string, unknown>): Promise<void> {
  let resumed: Elsewhere["resumed"];
  for (let round = 0; round < 5; round += 1) {
    const tool: Tool | undefined = (await connected()).find((one) => one.name === name);
    if (!tool?.execute) throw new Error(`no tool ${name}`);
    let kept = "";
    const elsewhere: Elsewhere = {
      ...(resumed && { resumed }),
      keep: async (call) => {
        kept = call.kept;
      },
      shouldYield: () => false,
      sleep: async () => undefined,
    };
    const result = await tool.execute(args, context, elsewhere);
    if (!isCallWait(result)) return console.log(name, result);
    if (result.for !== "person") throw new Error(`yielded, with ${kept}`);
    const values = result.question.fields.map(({ name: field, field_type, value }) => [
      field,
      value ?? (field_type === "bool" ? true : field_type === "int" ? 1 : "some text"),
    ]);
    resumed = { kept: result.kept, values: Object.fromEntries(values) };
  }
}

const ECHO = "json_schema_echo";
const tools = await connected();
const wanted =
  toolCalls ??
  (scenario === "tools_call"
    ? [{ name: "add_numbers", arguments: { a: 5, b: 3 } }]
    : tools.map(({ name }) => ({
        name,
        // This one is given the schema of the other tool's arguments, as the client has it.
        arguments: name === ECHO ? { schema: tools.find((tool) => tool.name !== ECHO)?.input_schema } : {},
      })));
for (const one of wanted) {
  try {
    await call(one.name, one.arguments);
  } catch (error) {
    console.log(one.name, "failed:", error instanceof Error ? error.message : error);
  }
}
process.exit(0);
