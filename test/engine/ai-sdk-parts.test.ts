import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "../../shared/engine/define/index.ts";
import { defineRegistry } from "../../shared/engine/define/registry.ts";
import { registryProblems } from "../../shared/engine/define/registry-problems.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { DeclaredTools } from "../../shared/engine/tool/ai-tools.ts";
import { jsonSchemaOf } from "../../shared/engine/tool/declared-schema.ts";
import { defineMcpTools } from "../../shared/engine/tool/mcp/define-mcp-tools.ts";
import type { ToolContext } from "../../shared/engine/tool/tool.ts";

const provider = createOpenAICompatible({ name: "acme", baseURL: "http://127.0.0.1:9/v1" });
const about = { id: "desk", name: "Desk" };
const context = {
  tool_call_id: "call-1",
  signal: new AbortController().signal,
} as unknown as ToolContext<string>; // what these tools read

describe("a model object of the AI SDK", () => {
  test("is the agent's model: called, shown and priced by its specification", async () => {
    const model = provider("large-1");
    const agent = defineAgent({ ...about, model });
    expect(agent.model).toBe("declared:acme.chat/large-1");
    expect(defineAgent({ ...about, model }).model).toBe(agent.model);
    expect(registryProblems(defineRegistry({ agents: [agent] }), () => false)).toEqual([]);
    const price = { input_per_million: 1, output_per_million: 2 };
    const models = createModels({ MODEL: "scripted", MODEL_PRICES: { "declared:acme.chat/large-1": price } });
    expect(await models.resolve(agent.model)).toMatchObject({ id: "large-1", provider: "acme.chat" });
    expect(models.describe(agent.model)).toEqual({ id: "large-1", provider: "acme.chat", price });
  });

  test("of another object with the same name is another model, and one of an older SDK is refused", () => {
    const other = defineAgent({ ...about, model: provider("large-1") });
    expect(other.model).toBe("declared:acme.chat/large-1#2");
    const old = { ...provider("old"), specificationVersion: "v2" } as unknown as ReturnType<typeof provider>; // as an older package has it
    expect(() => defineAgent({ ...about, model: old })).toThrow(
      "the agent desk has a model that is none of the AI SDK 7",
    );
  });
});

describe("tools of the AI SDK", () => {
  const weather = {
    description: "The weather of a city.",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }: { city: string }, { toolCallId }: { toolCallId: string }) =>
      `${city}: sun (${toolCallId})`,
  };

  test("are an agent's by the names of their set, alone or among others, with their schemas", async () => {
    const own = defineAgent({ ...about, tools: { weather } });
    const [tool] = own.tools;
    expect(tool).toMatchObject({ name: "weather", description: "The weather of a city.", effect: "once" });
    expect(tool && jsonSchemaOf(tool.parameters)).toMatchObject({ required: ["city"] });
    expect(await tool?.execute?.({ city: "Rome" }, context)).toBe("Rome: sun (call-1)");
    expect(
      defineAgent({ ...about, tools: [...own.tools, { other: weather }] }).tools.map(({ name }) => name),
    ).toEqual(["weather", "other"]);
  });

  test("of an MCP client have a JSON Schema, and answer with their text", async () => {
    const inputSchema = { jsonSchema: { type: "object", properties: { q: { type: "string" } } } };
    const execute = async () => ({ content: [{ type: "text", text: "found" }], isError: false });
    const [tool] = defineAgent({ ...about, tools: { search: { inputSchema, execute } } }).tools;
    expect(await tool?.execute?.({ q: "x" }, context)).toBe("found");
    const failing = async () => ({ content: [{ type: "text", text: "no such page" }], isError: true });
    const [broken] = defineAgent({ ...about, tools: { search: { inputSchema, execute: failing } } }).tools;
    await expect(Promise.resolve(broken?.execute?.({ q: "x" }, context))).rejects.toThrow("no such page");
  });

  test("that need approval pause, those without code are the client's, and what cannot be used is named", () => {
    const [asked] = defineAgent({ ...about, tools: { pay: { ...weather, needsApproval: true } } }).tools;
    expect(asked).toMatchObject({ requires_confirmation: true });
    const [client] = defineAgent({ ...about, tools: { pick: { inputSchema: weather.inputSchema } } }).tools;
    expect(client).toMatchObject({ external_execution: true });
    const used = (tool: object) => () => defineAgent({ ...about, tools: { odd: { ...weather, ...tool } } });
    expect(used({ type: "provider-defined" })).toThrow("the tool odd is executed by the provider");
    expect(used({ needsApproval: () => true })).toThrow("the tool odd decides by itself");
  });

  test("are not what defineMcpTools makes: that belongs into tool_sources, and a sentence says so", () => {
    const source = defineMcpTools({ name: "docs", url: "https://mcp.example.com" });
    const refused = "the MCP server docs has many tools: give it in tool_sources, not in tools.";
    for (const tools of [[source], { docs: source }] as unknown as DeclaredTools[])
      expect(() => defineAgent({ ...about, tools })).toThrow(refused);
    expect(defineAgent({ ...about, tool_sources: [source] }).tool_sources).toEqual([source]);
  });
});
