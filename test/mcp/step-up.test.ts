import { expect, test } from "vitest";
import type { McpDeps } from "../../functions/runs/mcp/mcp-deps.ts";
import { askForScopes } from "../../functions/runs/mcp/step-up.ts";
import type { Principal } from "../../shared/auth/principal.ts";
import { registry } from "../support/registry/index.ts";

const app: Principal = {
  ...{ kind: "user", user_id: "maria", admin: false, app: "grant-1" },
  scopes: ["agents:assistant:run", "agents:assistant:read"],
};
const settings = { registry, knowledge: ["handbook"], tools: "agents/assistant,teams/support-team" };
const deps = {
  mcp: { ...settings, live: { kept: async () => [] }, publicUrl: "https://agents.example" },
} as unknown as Pick<McpDeps, "mcp">;

/** The scopes that a refused call is to ask for; undefined for a call that may be made. */
async function askedFor(name: string, args: object = {}, principal: Principal = app) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const reply = await askForScopes({ principal }, message, deps);
  return reply && /scope="([^"]*)"/.exec(String(reply.headers["www-authenticate"]))?.[1];
}

const held = app.scopes.join(" ");
const run = { component_type: "team", component_id: "desk", run_id: "r", session_id: "s" };

test.each([
  ["run_agent", { agent_id: "assistant", message: "hi" }, undefined],
  ["agent_assistant", { message: "hi" }, undefined],
  ["list_agents", {}, undefined],
  ["get_run", { ...run, component_type: "agent", component_id: "assistant" }, undefined],
  ["run_agent", { agent_id: "other", message: "hi" }, `${held} agents:run`],
  ["run_team", { team_id: "desk", message: "hi" }, `${held} teams:run`],
  ["team_support-team", { message: "hi" }, `${held} teams:run`],
  ["get_run", run, `${held} teams:read teams:run`],
  ["cancel_run", run, `${held} teams:run`],
  ["list_workflows", {}, `${held} workflows:read`],
  ["list_sessions", {}, `${held} sessions:read`],
  ["search_knowledge", { query: "x" }, `${held} knowledge:read`],
  // The tool says what is wrong with them.
  ["run_team", {}, undefined],
  ["no_such_tool", {}, undefined],
])("%s with %j of a connected app is answered by a challenge for %s", async (name, args, scopes) => {
  expect(await askedFor(name, args)).toBe(scopes);
});

test("another credential, and another method, are not challenged", async () => {
  const { app: _, ...user } = app;
  expect(await askedFor("list_sessions", {}, user)).toBeUndefined();
  const listed = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  expect(await askForScopes({ principal: app }, listed, deps)).toBeUndefined();
});
