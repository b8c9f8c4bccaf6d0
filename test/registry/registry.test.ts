import { describe, expect, test } from "vitest";
import { registry } from "../../registry/index.ts";
import { findInRegistry } from "../../shared/engine/stored/find-runnable.ts";
import { aRequest, runAgent } from "../engine/support/run-agent.ts";

const call = async (agent_id: string, script: string) => {
  const agent = await findInRegistry(registry)("agent", agent_id);
  if (agent?.kind !== "agent") throw new Error(`no agent ${agent_id}`);
  const { outcome } = await runAgent("", { agent, request: aRequest(script) });
  return outcome.output;
};

test("every agent and every tool of an agent has a name of its own, fit for a path and for a model", () => {
  const ids = registry.agents.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const agent of registry.agents) {
    const names = agent.tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(agent.id).toMatch(/^[a-z0-9-]+$/);
    for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
  }
});

test("an id that nobody declared finds nothing, nor one under another kind", async () => {
  const find = findInRegistry(registry);
  expect(await find("agent", "nobody")).toBeUndefined();
  expect(await find("team", "assistant")).toBeUndefined();
});

describe("the assistant", () => {
  test("adds numbers", async () => {
    const output = await call("assistant", '[[tool:add_numbers {"a":17.5,"b":24.75}]]');
    expect(output).toMatchObject({ status: "COMPLETED", content: "42.25" });
  });

  test.each([
    ["{}", /UTC$/],
    ['{"timezone":"Asia/Tokyo"}', /GMT\+9$/],
  ])("tells the time for %s", async (args, place) => {
    const output = await call("assistant", `[[tool:get_time ${args}]]`);
    expect(output.tools?.[0]?.tool_call_error).toBe(false);
    expect(output.content).toMatch(/\d{4} at \d\d:\d\d:\d\d/);
    expect(output.content).toMatch(place);
  });

  test("learns that a time zone does not exist", async () => {
    const output = await call("assistant", '[[tool:get_time {"timezone":"Mars/Olympus"}]]');
    expect(output).toMatchObject({ status: "COMPLETED", tools: [{ tool_call_error: true }] });
  });
});

describe("the refund desk", () => {
  test("pays nothing before a person says so", async () => {
    const output = await call("refund-desk", '[[tool:issue_refund {"order_id":"A-1","amount":12.5}]]');
    expect(output).toMatchObject({
      status: "PAUSED",
      tools: [{ tool_name: "issue_refund", requires_confirmation: true, result: null }],
    });
    expect(output.requirements).toHaveLength(1);
  });

  test("asks nobody about an amount that is none", async () => {
    const output = await call("refund-desk", '[[tool:issue_refund {"order_id":"A-1","amount":0}]]');
    expect(output).toMatchObject({ status: "COMPLETED", tools: [{ tool_call_error: true }] });
  });
});
