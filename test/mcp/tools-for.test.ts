import { expect, test } from "vitest";
import { toolsFor } from "../../functions/runs/mcp/tools-for.ts";
import { registry } from "../support/registry/index.ts";

const settings = {
  registry,
  ...{
    knowledge: ["handbook"],
    origins: new Set<string>(),
    issuers: [],
    confirms: false,
    publicUrl: undefined,
    osId: "test",
  },
};
const namesFor = (tools: string, ...scopes: string[]): string[] =>
  toolsFor({ scopes, admin: scopes.length === 0 }, { ...settings, tools }).map(({ name }) => name);

test("components are tools of their own where the settings say so, for who may run them", () => {
  const two = "agents/assistant,teams/support-team";
  expect(namesFor(two, "agents:run", "teams:run")).toEqual([
    ...["run_agent", "run_team", "continue_run", "send_message", "cancel_run"],
    ...["agent_assistant", "team_support-team"],
  ]);
  expect(namesFor(two, "teams:run")).not.toContain("agent_assistant");
  expect(namesFor("all", "agents:refund-desk:run")).toContain("agent_refund-desk");
  expect(namesFor("all", "agents:refund-desk:run")).not.toContain("agent_assistant");
  expect(namesFor("all")).toContain("workflow_publish-report");
  expect(namesFor("", "agents:run").filter((name) => name.startsWith("agent_"))).toEqual([]);
});

test("a tool is there for each thing that the scopes allow, and for nothing else", () => {
  expect(namesFor("", "zebra:run")).toEqual([]);
  expect(namesFor("", "knowledge:read")).toEqual(["search_knowledge"]);
  expect(namesFor("", "sessions:read")).toEqual(["list_sessions"]);
  expect(namesFor("", "workflows:w1:read")).toEqual(["list_workflows"]);
  expect(namesFor("", "agents:a1:run")).toEqual(["run_agent", "continue_run", "send_message", "cancel_run"]);
});
