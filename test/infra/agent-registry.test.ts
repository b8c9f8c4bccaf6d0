import { expect, test } from "vitest";
import { emptyManifest } from "../../shared/runtime/registry-manifest.ts";
import { synthesized } from "./synthesized.ts";

const RECORD = "AWS::AgentRegistry::RegistryRecord";
const declared = { ...emptyManifest, agents: ["desk", "assistant"], teams: ["support"] };
const context = {
  ...{ stage: "prod", model: "scripted", osId: "acme" },
  publicUrl: "https://agents.example",
};

/** The records of a deployment, by their names. */
async function records(further: Readonly<Record<string, unknown>>) {
  const { ofType } = await synthesized({ ...context, ...further }, declared);
  return Object.fromEntries(ofType(RECORD).map(({ properties }) => [properties.Name, properties]));
}

test("a registry of AWS gets a record of each interface that is served, with its address", async () => {
  const all = await records({ agentRegistry: "abcdefgh1234", mcp: "true", a2a: "true" });
  expect(Object.keys(all).toSorted()).toEqual([
    "acme/prod/agents/assistant",
    "acme/prod/agents/desk",
    "acme/prod/mcp",
    "acme/prod/teams/support",
  ]);
  const mcp = all["acme/prod/mcp"];
  expect(mcp).toMatchObject({ RegistryId: "abcdefgh1234", RecordType: "MCP" });
  expect(mcp.Descriptors.McpServer.Data).toContain("https://agents.example/mcp");
  const card = all["acme/prod/teams/support"];
  expect(card).toMatchObject({ RecordType: "AGENT", DisplayName: "teams/support" });
  expect(card.Descriptors.A2aAgentCard.Data).toContain("https://agents.example/a2a/teams/support");
});

test("there is a record of nothing that is not served, and none without a registry", async () => {
  expect(Object.keys(await records({ agentRegistry: "abcdefgh1234", mcp: "true" }))).toEqual([
    "acme/prod/mcp",
  ]);
  expect(await records({ agentRegistry: "abcdefgh1234" })).toEqual({});
  expect(await records({ mcp: "true", a2a: "true" })).toEqual({});
  await expect(records({ agentRegistry: "not one" })).rejects.toThrow("agentRegistry");
});
