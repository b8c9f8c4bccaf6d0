import { describe, expect } from "vitest";
import { type Client, clientOf, framesOf, orderOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

const scopes = ["agents:read", "agents:run", "memories:read", "memories:delete", "learnings:read"];

let platform: RunningPlatform;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

let users = 0;
const newUser = () => {
  users += 1;
  const name = `remembered-${users}`;
  return { name, client: clientOf(platform.url, platform.token(name, scopes)) };
};
const run = async (client: Client, message: string, form: Record<string, string> = {}) =>
  (await client.post("/agents/companion/runs", { form: { message, stream: "false", ...form } })).json;
const memoriesOf = async (client: Client) => (await client.get("/memories")).json.data;
const contextOf = (output: {
  messages: { role: string; from_history: boolean; context?: string }[];
}): string =>
  output.messages.find(({ role, from_history }) => role === "user" && !from_history)?.context ?? "";

describe("after each answer", () => {
  test("an agent remembers what the model finds worth it, and says so in the order of the wire", async () => {
    const { name, client } = newUser();
    const response = await client.send("POST", "/agents/companion/runs", {
      form: { message: 'I sail. [[remember:{"memory":"Sails.","topics":["hobby"]}]]' },
    });
    const frames = framesOf(await response.text());
    expect(orderOf(frames)).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "RunContent",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "MemoryUpdateStarted",
      "MemoryUpdateCompleted",
      "RunCompleted",
    ]);
    const [kept] = await memoriesOf(client);
    expect(kept).toMatchObject({
      memory: "Sails.",
      topics: ["hobby"],
      user_id: name,
      agent_id: "companion",
      team_id: null,
    });
    expect(frames.find(({ event }) => event === "MemoryUpdateCompleted")?.data.memories).toEqual([kept]);
  });

  test("the next run receives it, in any session, and what it uses for remembering is counted", async () => {
    const { client } = newUser();
    const first = await run(client, "I sail. [[remember:Sails.]]");
    expect(first.metrics.details.memory_model).toHaveLength(1);
    expect(first.metrics.input_tokens).toBeGreaterThan(first.metrics.details.model[0].input_tokens);
    expect(contextOf(first)).not.toContain("Sails.");
    const next = await run(client, "Where to?");
    expect(next.session_id).not.toBe(first.session_id);
    expect(contextOf(next)).toContain("What you remember of the user:\n- Sails.");
    expect(await memoriesOf(client)).toHaveLength(1);
  });

  test("no other user receives it", async () => {
    await run(newUser().client, "[[remember:Has a secret.]]");
    const other = newUser();
    expect(contextOf(await run(other.client, "And I?"))).not.toContain("secret");
    expect(await memoriesOf(other.client)).toEqual([]);
  });

  test("a memory is replaced where the model says so, and nothing is kept twice", async () => {
    const { client } = newUser();
    await run(client, "[[remember:Lives in Oslo.]]");
    const [{ memory_id }] = await memoriesOf(client);
    await run(client, `I moved. [[remember:{"memory_id":"${memory_id}","memory":"Lives in Bergen."}]]`);
    await run(client, "[[remember:Lives in Bergen.]]");
    expect(await memoriesOf(client)).toMatchObject([{ memory_id, memory: "Lives in Bergen." }]);
    await run(client, '[[remember:{"memory_id":"unknown","memory":"Lives nowhere."}]]');
    expect(await memoriesOf(client)).toHaveLength(1);
  });

  test("a run in the background remembers as well", async () => {
    const { client } = newUser();
    const accepted = await run(client, "[[remember:Is patient.]]", { background: "true" });
    const path = `/agents/companion/runs/${accepted.run_id}?session_id=${accepted.session_id}`;
    await expect.poll(async () => (await client.get(path)).json.status).toBe("COMPLETED");
    expect(await memoriesOf(client)).toMatchObject([{ memory: "Is patient." }]);
  });
});

test("the model may have something remembered while it answers", async () => {
  const { client } = newUser();
  const output = await run(client, '[[tool:update_user_memory {"task":"[[remember:Prefers trains.]]"}]]');
  expect(output.content).toBe("Remembered: Prefers trains.");
  expect(await memoriesOf(client)).toMatchObject([{ memory: "Prefers trains.", agent_id: "companion" }]);
});

describe("what is learned", () => {
  const tool = (name: string, args: object) => `[[tool:${name} ${JSON.stringify(args)}]]`;
  const learningsOf = async (client: Client, name: string) =>
    (await client.get(`/learnings?user_id=${name}`)).json.data;

  test("of the user is one profile, which later runs add to and receive", async () => {
    const { name, client } = newUser();
    await run(client, tool("save_user_profile", { name: "Mira Holm", details: { role: "captain" } }));
    const next = await run(client, tool("save_user_profile", { preferred_name: "Mira" }));
    expect(contextOf(next)).toContain("Mira Holm");
    expect(await learningsOf(client, name)).toMatchObject([
      {
        learning_id: `user_profile_${name}`,
        agent_id: "companion",
        content: { user_id: name, name: "Mira Holm", preferred_name: "Mira", role: "captain" },
      },
    ]);
  });

  test("of an entity stands in the user's own namespace, each fact once", async () => {
    const [mira, otto] = [newUser(), newUser()];
    const entity = { entity_type: "company", entity_id: "nordlys" };
    const fact = "Ships from Bergen";
    await run(mira.client, tool("save_entity", { ...entity, name: "Nordlys AS", facts: [fact] }));
    await run(mira.client, tool("save_entity", { ...entity, facts: [fact, "Has four ships"] }));
    await run(otto.client, tool("save_entity", { ...entity, facts: ["Is for sale"] }));
    const [learning, ...others] = await learningsOf(mira.client, mira.name);
    expect(others).toEqual([]);
    expect(learning.learning_id).toMatch(/^entity_user_[0-9a-f]{16}_company_nordlys$/);
    expect(learning.content).toMatchObject({ name: "Nordlys AS", entity_type: "company", namespace: "user" });
    expect(learning.content.facts).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        content: fact,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
      expect.objectContaining({ content: "Has four ships" }),
    ]);
  });

  test("of decisions is a log", async () => {
    const { name, client } = newUser();
    const output = await run(client, tool("log_decision", { decision: "By ferry", reasoning: "No flights" }));
    const [learning] = await learningsOf(client, name);
    expect(learning).toMatchObject({
      learning_id: expect.stringMatching(/^dec_[0-9a-f]{8}$/),
      learning_type: "decision_log",
      session_id: output.session_id,
      content: { id: learning.learning_id, decision: "By ferry", reasoning: "No flights" },
    });
  });

  test("follows what a stored agent says of each kind", async () => {
    const { name, client } = newUser();
    const learning = { user_memory: { mode: "always" }, session_context: "agentic", user_profile: false };
    const config = { learning };
    const id = await createComponent(admin, { config, stage: "published" });
    const input = `I sail. [[learn:user_memory {"add":["Sails."]}]]`;
    const form = { message: input, stream: "false" };
    const { json } = await client.post(`/agents/${id}/runs`, { form });
    expect(json).toMatchObject({ status: "COMPLETED", metrics: { details: { learning_model: [{}] } } });
    expect(await learningsOf(client, name)).toMatchObject([
      { learning_id: `memories_${name}`, agent_id: id, content: { memories: [{ content: "Sails." }] } },
    ]);
    const { json: shown } = await client.get(`/agents/${id}`);
    const tools = shown.tools.tools.map(({ name }: { name: string }) => name);
    expect(tools).toEqual(["save_session_context"]);
  });

  test("is not written over another user's record", async () => {
    const { name, client } = newUser();
    const json = { learning_type: "user_profile", user_id: name, content: { name: "Set by hand" } };
    await admin.post("/learnings", { json });
    await run(client, tool("save_user_profile", { preferred_name: "Mira" }));
    expect(await learningsOf(client, name)).toMatchObject([
      { content: { name: "Set by hand", preferred_name: "Mira" } },
    ]);
  });
});

test("clients see which agents remember, and where", async () => {
  const { json: agent } = await admin.get("/agents/companion");
  expect(agent.memory).toEqual({
    memory_table: "memories",
    enable_agentic_memory: true,
    update_memory_on_run: true,
  });
  expect((await admin.get("/agents/assistant")).json.memory).toBeUndefined();
  const { json: config } = await admin.get("/config");
  expect(config.memory.dbs).toEqual([
    { db_id: "main", domain_config: { display_name: "main" }, tables: ["memories"] },
  ]);
  expect(config.learning.dbs[0].tables).toEqual(["learnings"]);
});
