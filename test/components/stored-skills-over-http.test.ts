import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import { mcpClient } from "../support/mcp-world.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

/** Skills that are components: with versions of their own, which agents and teams name by id. */
let platform: RunningPlatform;
let admin: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

type Fields = Readonly<Record<string, unknown>>;
const published = { stage: "published" };
const config = (text: string, more: Fields = {}, files: Readonly<Record<string, string>> = {}) => ({
  name: "returns",
  files: { "SKILL.md": `---\nname: returns\ndescription: How goods come back.\n---\n${text}\n`, ...files },
  ...more,
});
let made = 0;
const skill = (text: string, fields: Fields = published, more: Fields = {}) => {
  made += 1;
  const json = { component_type: "skill", component_id: `returns-${made}`, config: config(text, more) };
  return createComponent(admin, { ...json, ...fields });
};
const addVersion = (id: string, of: Fields, fields: Fields = published) =>
  admin.post(`/components/${id}/configs`, { json: { config: of, ...fields } });
const agentWith = (skill_id: string, fields: Fields = published) =>
  createComponent(admin, { component_id: `uses-${skill_id}`, config: { skills: [{ skill_id }] }, ...fields });
const pinTo = (skill_id: string, child_version: number) => ({
  links: [{ link_kind: "skill", link_key: skill_id, child_component_id: skill_id, child_version }],
});

const READ = '[[tool:get_skill_instructions {"skill_name":"returns"}]]';
const run = (id: string, message: string, form: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  admin.post(`/agents/${id}/runs`, { form: { message, stream: "false", ...form } });
type Message = { readonly role: string; readonly content?: string };
const readBy = async (id: string, form = {}): Promise<string> => {
  const { json } = await run(id, READ, form);
  const answer = json.messages.find(({ role }: Message) => role === "tool");
  return JSON.parse(answer.content).instructions;
};

test("an agent's version has the version of the skill that was live when it was written", async () => {
  const id = await skill("Ask for the receipt.");
  const agent = await agentWith(id);
  expect(await readBy(agent)).toBe("Ask for the receipt.");
  await addVersion(id, config("Ask for nothing."), { stage: "draft" });
  expect(await readBy(agent)).toBe("Ask for the receipt.");
  await admin.call("PATCH", `/components/${id}/configs/2`, { json: published });
  expect(await readBy(agent)).toBe("Ask for the receipt.");
  await addVersion(agent, { skills: [{ skill_id: id }] });
  expect(await readBy(agent)).toBe("Ask for nothing.");
  // A request may name another version of it, and earlier versions of the agent keep theirs.
  await addVersion(agent, { skills: [{ skill_id: id }] }, { ...published, ...pinTo(id, 1) });
  expect(await readBy(agent)).toBe("Ask for the receipt.");
  expect(await readBy(agent, { version: "2" })).toBe("Ask for nothing.");
});

test("a paused run continues in the version that it began with", async () => {
  const id = await skill("First.");
  const agent = await createComponent(admin, {
    component_id: `pauses-${id}`,
    config: { skills: [{ skill_id: id }], tools: ["issue_refund"] },
    ...published,
  });
  const paused = await run(agent, `[[tool:issue_refund {"order_id":"o","amount":1}]]${READ}`);
  expect(paused.json.status).toBe("PAUSED");
  await addVersion(id, config("Second."));
  await addVersion(agent, { skills: [{ skill_id: id }], tools: ["issue_refund"] });
  const { run_id, session_id, tools } = paused.json;
  const confirmed = tools.map((tool: Fields) => ({ ...tool, confirmed: true }));
  const done = await admin.post(`/agents/${agent}/runs/${run_id}/continue`, {
    form: { session_id, tools: JSON.stringify(confirmed), stream: "false" },
  });
  expect(done.json.status).toBe("COMPLETED");
  const read = done.json.messages.filter(({ role }: Message) => role === "tool").at(-1);
  expect(JSON.parse(read.content).instructions).toBe("First.");
});

test("a skill of a hundred files costs a line of the prompt until it is read, and a team's leader has some too", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`references/r${at}.md`, "word ".repeat(300)]),
  );
  const few = await agentWith(await skill("Do it."));
  const large = await skill("Do it.", { ...published, config: config("Do it.", {}, files) });
  const many = await agentWith(large);
  const none = await createComponent(admin, { component_id: `none-${large}`, config: {}, ...published });
  const tokens = async (id: string, message = "hi") => (await run(id, message)).json.metrics.input_tokens;
  const [without, little, much] = [await tokens(none), await tokens(few), await tokens(many)];
  expect(much).toBe(little);
  expect(little - without).toBeLessThan(100);
  expect(await tokens(many, READ)).toBeGreaterThan(2 * much);
  const team = await createComponent(admin, {
    component_type: "team",
    component_id: `team-${large}`,
    config: { members: [{ agent_id: "assistant" }], skills: [{ skill_id: large }] },
    ...published,
  });
  const led = await admin.post(`/teams/${team}/runs`, { form: { message: READ, stream: "false" } });
  expect(led.text).toContain("Do it.");
});

describe("is refused", () => {
  const checked = async (fields: Fields) => {
    made += 1;
    const json = { name: "Bot", component_id: `refused-${made}`, ...published, ...fields };
    const { status, json: answer } = await admin.post("/components", { json });
    return { status, faults: answer.faults };
  };

  test("what the format refuses, by file and line", async () => {
    const files = { "SKILL.md": "---\nname: Returns\ndescription: x\nauthor: me\n---\n" };
    expect(await checked({ component_type: "skill", config: { name: "returns", files } })).toMatchObject({
      status: 422,
      faults: [
        {
          path: "files.SKILL.md",
          message: 'line 4: the format has no key "author"; put what is your own below metadata',
        },
        { path: "files.SKILL.md", message: "line 2: its name must be in lower case" },
        { path: "files.SKILL.md" },
      ],
    });
    for (const [name, text] of [
      ["../up.md", "x"],
      [".env", "x"],
      ["a//b", "x"],
    ] as const) {
      const refused = await checked({ component_type: "skill", config: config("", {}, { [name]: text }) });
      expect([name, refused.status]).toEqual([name, 422]);
    }
    expect((await checked({ component_type: "skill", config: {} })).status).toBe(422);
  });

  test("a skill that is not there, is none, is archived, a draft, or has the name of another", async () => {
    const id = await skill("Do it.");
    const agent = (...skills: readonly Fields[]) => checked({ component_type: "agent", config: { skills } });
    expect(await agent({ skill_id: "no-such" })).toMatchObject({
      status: 400,
      faults: [
        { path: "skills[0].skill_id", error_code: "BAD_REQUEST", message: "skill no-such is not stored" },
      ],
    });
    const bot = await createComponent(admin, { config: {}, ...published });
    expect((await agent({ skill_id: bot })).status).toBe(422);
    const twin = await skill("Do it too.");
    expect((await agent({ skill_id: id }, { skill_id: twin })).faults[0].message).toContain(
      "two skills of the name returns",
    );
    const draft = await skill("Not yet.", { stage: "draft" });
    expect((await agent({ skill_id: draft })).status).toBe(422);
    const old = await skill("Gone.");
    expect((await admin.call("DELETE", `/components/${old}`)).status).toBe(204);
    expect((await agent({ skill_id: old })).status).toBe(409);
  });

  test("to run a skill, and to archive one that is used", async () => {
    const id = await skill("Do it.");
    expect((await run(id, "hi")).status).toBe(404);
    const agent = await agentWith(id);
    const archive = () => admin.call("DELETE", `/components/${id}`);
    expect((await archive()).status).toBe(409);
    expect((await admin.call("DELETE", `/components/${agent}`)).status).toBe(204);
    expect((await archive()).status).toBe(204);
  });

  test("a writer who may not read the skill that is named", async () => {
    const id = await skill("Do it.");
    const scopes = ["components:write", "components:read"];
    const json = { component_type: "agent", name: "Bot", config: { skills: [{ skill_id: id }] } };
    const writer = (more: readonly string[]) =>
      clientOf(platform.url, platform.token("skill-writer", [...scopes, ...more]));
    expect((await writer([]).post("/components", { json })).json.detail).toContain(`skills:${id}:read`);
    expect((await writer([`skills:${id}:read`]).post("/components", { json })).status).toBe(201);
  });
});

test("a skill with a gate is published once an agent that uses exactly it has passed", async () => {
  const agent_id = "evaluates-returns";
  const gate = { require_eval: { agent_id } };
  const id = await skill("Ask.", { stage: "draft" }, gate);
  const publish = () => admin.call("PATCH", `/components/${id}/configs/1`, { json: published });
  const edit = (text: string) =>
    admin.call("PATCH", `/components/${id}/configs/1`, { json: { config: config(text, gate) } });
  const evaluate = async () => {
    const { json } = await admin.post("/eval-runs", {
      json: {
        ...{ eval_type: "accuracy", agent_id, version: 1, input: "hello" },
        expected_output: '[[answer:{"score":9,"reason":"so"}]]',
      },
    });
    expect(json.status).toBe("completed");
  };
  expect((await publish()).json.detail).toContain("needs an evaluation");
  await createComponent(admin, {
    component_id: agent_id,
    config: { skills: [{ skill_id: id }] },
    ...pinTo(id, 1),
  });
  await evaluate();
  await edit("Ask for something else.");
  expect((await publish()).json.detail).toContain("it was edited since it was evaluated");
  await evaluate();
  expect((await publish()).status).toBe(200);
  const own = await skill("Ask.", { stage: "draft" }, { require_eval: true });
  const refused = await admin.call("PATCH", `/components/${own}/configs/1`, { json: published });
  expect(refused.json.faults).toMatchObject([{ path: "require_eval" }]);
});

test("/skills are the routes of components for skills alone, with scopes of their own", async () => {
  const id = await skill("Do it.");
  const holder = (...scopes: readonly string[]) => clientOf(platform.url, platform.token("skilled", scopes));
  const reader = holder(`skills:${id}:read`);
  const shown = {
    ...{ id, name: "returns", description: "How goods come back.", files: ["SKILL.md"] },
    ...{ is_component: true, current_version: 1, stage: "published" },
  };
  expect((await reader.get("/skills")).json).toEqual([shown]);
  expect((await reader.get(`/skills/${id}`)).json).toEqual(shown);
  const other = await skill("Another.");
  expect((await reader.get(`/skills/${other}`)).status).toBe(403);
  expect((await holder("skills:read").get("/skills")).json.length).toBeGreaterThan(1);
  expect((await holder("agents:read").get("/skills")).status).toBe(403);
  const agent = await agentWith(id);
  expect((await holder("skills:read").get(`/skills/${agent}`)).status).toBe(404);
  expect((await admin.call("DELETE", `/skills/${agent}`)).status).toBe(404);

  const writer = holder("skills:write", "skills:read", "skills:delete");
  const json = {
    name: "Returns",
    component_id: `own-${id}`,
    config: config("Mine.", { description: "Listed." }),
  };
  expect((await writer.post("/skills", { json })).json).toMatchObject({ component_type: "skill" });
  expect((await reader.post("/skills", { json })).status).toBe(403);
  const path = `/skills/own-${id}`;
  expect((await writer.get(path)).json).toMatchObject({ current_version: 1, stage: "draft" });
  expect((await holder("skills:read").get("/skills")).text).toContain(`own-${id}`);
  const stranger = clientOf(platform.url, platform.token("stranger", ["skills:read", "skills:write"]));
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.call("PATCH", path, { json: { name: "Theirs" } })).status).toBe(404);
  expect((await writer.call("PATCH", path, { json: { name: "Ours" } })).json.name).toBe("Ours");
  expect((await writer.call("DELETE", path)).status).toBe(204);
  expect((await writer.get(path)).status).toBe(404);
  const { json: audited } = await admin.get(`/audit?limit=100`);
  expect(JSON.stringify(audited)).toContain(`own-${id}`);
});

test("stored skills are served over MCP to who may read them, at their live versions", async () => {
  const id = await skill("Do it.");
  const draft = await skill("Not yet.", { stage: "draft" });
  const list = (by: Awaited<ReturnType<typeof mcpClient>>) =>
    by.request({ method: "skills/list", params: {} }, ResultSchema);
  const client = await mcpClient(platform, "skill-reader", [`skills:${id}:read`, `skills:${draft}:read`]);
  const uri = `skill://skills/${id}/returns/SKILL.md`;
  expect(await list(client)).toMatchObject({
    skills: [{ uri, frontmatter: { name: "returns" }, resources: [{ uri }] }],
  });
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ text: expect.stringContaining("Do it.") }]);
  const other = await mcpClient(platform, "skill-other", ["skills:no-such:read"]);
  expect(await list(other)).toMatchObject({ skills: [] });
  await expect(other.readResource({ uri })).rejects.toThrow(/not found/);
});
