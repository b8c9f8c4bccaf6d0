import * as v from "valibot";
import { expect, test } from "vitest";
import { describeAgent } from "../../shared/engine/component/describe-agent.ts";
import { AgentResponse } from "../../shared/schemas/components/agent.ts";
import { anAgent, aTool, scripted } from "./support/run-agent.ts";

test("an agent at its defaults shows no settings and no empty groups", () => {
  expect(describeAgent(anAgent({ retries: 2 }), scripted())).toEqual({
    id: "helper",
    name: "Helper",
    db_id: "main",
    is_factory: false,
    model: { name: "Scripted", model: "scripted-1", provider: "Scripted" },
    sessions: { session_table: "sessions" },
    is_component: false,
  });
});

test("an agent shows every setting that differs from its default, and its tools with their JSON Schema", () => {
  const agent = anAgent({
    description: "Helps.",
    instructions: ["Be kind.", "Be brief."],
    model: "openai:gpt-5",
    markdown: true,
    tools: [aTool({ requires_confirmation: true }).tool],
    tool_call_limit: 4,
    add_history_to_context: true,
    num_history_runs: 5,
    metadata: { team: "desk" },
    retries: 4,
    exponential_backoff: false,
    output_schema: { title: "Invoice", type: "object" },
  });
  const shown = describeAgent(agent, scripted());
  expect(shown).toMatchObject({
    description: "Helps.",
    model: { name: "OpenAI", model: "gpt-5", provider: "OpenAI" },
    sessions: { session_table: "sessions", add_history_to_context: true, num_history_runs: 5 },
    system_message: { description: "Helps.", instructions: ["Be kind.", "Be brief."], markdown: true },
    metadata: { team: "desk" },
    response_settings: { retries: 4, exponential_backoff: false, output_schema_name: "Invoice" },
  });
  expect(shown.tools).toEqual({
    tools: [
      {
        name: "add",
        description: "Add two numbers.",
        parameters: {
          type: "object",
          properties: { a: { type: "number" }, b: { type: "number" } },
          required: ["a", "b"],
        },
        requires_confirmation: true,
      },
    ],
    tool_call_limit: 4,
  });
  expect(v.parse(AgentResponse, shown)).toEqual(shown);
});
