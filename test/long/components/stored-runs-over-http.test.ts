import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Client, clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
const kinds = ["agents", "teams", "workflows"];
const scopes = [
  ...["read", "write", "delete"].map((verb) => `components:${verb}`),
  ...kinds.flatMap((kind) => [`${kind}:read`, `${kind}:run`]),
  "sessions:read",
];
beforeAll(async () => {
  platform = await startPlatform();
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform?.stop());

type Fields = Readonly<Record<string, unknown>>;
const create = (config: Fields, fields: Fields = {}, client = maria) =>
  createComponent(client, { stage: "published", config, ...fields });
/** Published although it cannot run, as before a deployment that took something away. */
const createBroken = (config: Fields, fields: Fields = {}) =>
  createComponent(maria, { stage: "published", config, ...fields }, { force: true });
const addVersion = (id: string, config: Fields, stage = "published", force = false) =>
  maria.post(`/components/${id}/configs?force=${force}`, { json: { config, stage } });
const run = (
  id: string,
  form: Record<string, string> = {},
  client = maria,
  kind = "agents",
): Promise<Answer> =>
  client.post(`/${kind}/${id}/runs`, { form: { message: "hello", stream: "false", ...form } });
const rested = async (kind: string, id: string, accepted: Answer, client = maria): Promise<Answer> => {
  const { run_id, session_id } = accepted.json;
  for (const until = Date.now() + HANGS_AFTER_MS; ; ) {
    const answer = await client.get(`/${kind}/${id}/runs/${run_id}?session_id=${session_id}`);
    if (answer.status === 200 && !["PENDING", "RUNNING"].includes(answer.json.status)) return answer;
    if (Date.now() > until) throw new Error(`run ${run_id} does not end: ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const refund = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

describe("a stored agent", () => {
  test("runs at the version that is live", async () => {
    const id = await create({ name: "First" });
    expect((await run(id)).json).toMatchObject({
      status: "COMPLETED",
      content: "You said: hello",
      agent_id: id,
      agent_name: "First",
    });
    await addVersion(id, { name: "Second" });
    expect((await run(id)).json.agent_name).toBe("Second");
    await maria.post(`/components/${id}/configs/1/set-current`);
    expect((await run(id)).json.agent_name).toBe("First");
  });

  test("runs at any version that is named; a draft only for its owner and an admin", async () => {
    const id = await create({ name: "First" });
    await addVersion(id, { name: "Draft" }, "draft");
    expect((await run(id, { version: "1" })).json.agent_name).toBe("First");
    expect((await run(id, { version: "2" })).json.agent_name).toBe("Draft");
    expect((await run(id, { version: "2" }, admin)).json.agent_name).toBe("Draft");
    expect((await run(id, { version: "1" }, otto)).json.agent_name).toBe("First");
    expect((await run(id, { version: "2" }, otto)).status).toBe(404);
    expect((await run(id, { version: "99" })).status).toBe(404);
    expect((await run(id, { version: "abc" })).status).toBe(422);
  });

  test("that was never published runs only when its draft is named", async () => {
    const id = await create({}, { stage: "draft" });
    expect((await run(id)).status).toBe(404);
    expect((await run(id, { version: "1" })).status).toBe(200);
    expect((await run(id, { version: "1" }, otto)).status).toBe(404);
  });

  test("runs in the queue and in a stream too", async () => {
    const id = await create({});
    const accepted = await run(id, { background: "true" });
    expect(accepted.status).toBe(202);
    expect((await rested("agents", id, accepted)).json).toMatchObject({
      status: "COMPLETED",
      content: "You said: hello",
    });
    expect((await run(id, { stream: "true" })).text).toContain("RunCompleted");
  });

  test("has its settings, its tools and its schemas by name", async () => {
    const answer = { name: "Ada", email: "ada@example.com" };
    const id = await create({
      tools: [{ name: "add_numbers" }, { type: "function", function: { name: "get_time" } }],
      output_schema: "contact",
      model: "scripted",
      markdown: true,
      unheard_of: { kept: true },
    });
    expect((await run(id, { message: `[[answer:${JSON.stringify(answer)}]]` })).json).toMatchObject({
      content: answer,
      content_type: "Contact",
    });
    const shown = (await maria.get(`/agents/${id}`)).json;
    expect(shown).toMatchObject({ system_message: { markdown: true }, is_component: true });
    expect(shown.tools.tools.map(({ name }: { name: string }) => name)).toEqual(["add_numbers", "get_time"]);
    const plain = await create({ tools: ["add_numbers"] });
    const sum = await run(plain, { message: '[[tool:add_numbers {"a":2,"b":3}]]' });
    expect(sum.json.tools[0]).toMatchObject({ tool_name: "add_numbers", result: "5" });
  });

  test("searches the knowledge base that its config names", async () => {
    const id = await create({ knowledge: { name: "handbook" }, search_knowledge: true });
    const { json } = await run(id, { message: '[[tool:search_knowledge_base {"query":"refunds"}]]' });
    expect(json).toMatchObject({
      status: "COMPLETED",
      tools: [{ tool_name: "search_knowledge_base", tool_call_error: false }],
    });
  });

  test("holds a message to the JSON Schema in its config", async () => {
    const input_schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const id = await create({ input_schema });
    expect((await run(id, { message: '{"n":1}' })).json.status).toBe("COMPLETED");
    expect((await run(id, { message: '{"n":"x"}' })).status).toBe(400);
  });

  test.each([
    [{ tools: [{ name: "format_disk" }] }, "tool format_disk"],
    [{ model: { id: "m-small", provider: "acme" } }, "acme:m-small"],
    [{ model: "openai:gpt-5" }, "gpt-5"],
    [{ output_schema: "nowhere" }, "schema nowhere"],
    [{ output_schema: { type: "no-such-type" } }, "output_schema"],
    [{ knowledge: { name: "atlas" } }, "knowledge atlas"],
    [{ markdown: "perhaps" }, "markdown"],
    [{ timezone_identifier: "Mars/Olympus" }, "timezone_identifier"],
    [{ tools: [{ name: "format_disk" }], model: "openai:gpt-5" }, "tool format_disk is not registered; "],
  ])(
    "whose config is not usable is refused with what is wrong, and listed all the same (%#)",
    async (config, named) => {
      const id = await createBroken(config);
      const answer = await run(id);
      expect([answer.status, answer.json.detail]).toEqual([
        422,
        expect.stringContaining(named.replace(/; $/, "")),
      ]);
      expect((await maria.get(`/agents/${id}`)).status).toBe(200);
      const listed = (await maria.get("/agents")).json.map((agent: { id: string }) => agent.id);
      expect(listed).toContain(id);
    },
  );

  test("goes on at the version that its run began with, when it is published anew or archived meanwhile", async () => {
    const id = await create({ name: "First", tools: ["issue_refund"] });
    const paused = await run(id, { message: refund });
    const queued = await rested("agents", id, await run(id, { message: refund, background: "true" }));
    expect([paused.json.status, queued.json.status]).toEqual(["PAUSED", "PAUSED"]);
    await addVersion(id, { name: "Second" });
    await maria.call("DELETE", `/components/${id}`);
    expect((await run(id)).status).toBe(404);
    const { run_id, session_id, tools } = paused.json;
    const path = `/agents/${id}/runs/${run_id}`;
    expect((await maria.get(`${path}?session_id=${session_id}`)).json.status).toBe("PAUSED");
    const confirmed = (all: Fields[]) => JSON.stringify(all.map((tool) => ({ ...tool, confirmed: true })));
    const form = { session_id, stream: "false", tools: confirmed(tools) };
    const continued = await maria.post(`${path}/continue`, { form });
    expect(continued.json).toMatchObject({ status: "COMPLETED", agent_name: "First" });
    const again = {
      session_id: queued.json.session_id,
      stream: "false",
      background: "true",
      tools: confirmed(queued.json.tools),
    };
    const accepted = await maria.post(`/agents/${id}/runs/${queued.json.run_id}/continue`, { form: again });
    expect(accepted.status).toBe(202);
    expect((await rested("agents", id, accepted)).json).toMatchObject({ status: "COMPLETED" });
    expect((await admin.get(`/queue/jobs/${queued.json.run_id}`)).json.payload.version).toBe(1);
  });

  test("whose run has ended shows it, although nothing of it could be built any more", async () => {
    const id = await create({});
    const { run_id, session_id } = (await run(id)).json;
    await addVersion(id, { tools: ["format_disk"] }, "published", true);
    expect((await maria.get(`/agents/${id}/runs/${run_id}?session_id=${session_id}`)).status).toBe(200);
    expect((await maria.get(`/sessions/${session_id}`)).json.agent_data).toMatchObject({ id });
  });

  test("is found under its own kind only", async () => {
    const id = await create({}, { component_type: "team" });
    expect((await run(id)).status).toBe(404);
    expect((await maria.get(`/agents/${id}`)).status).toBe(404);
    expect((await maria.get(`/teams/${id}`)).status).toBe(200);
  });
});

describe("the list", () => {
  test("shows stored ones after the declared ones, with version and stage; archived ones vanish", async () => {
    const draft = await create({}, { stage: "draft" });
    const live = await create({});
    const shown = async (client: Client) => (await client.get("/agents")).json as Fields[];
    const all = await shown(maria);
    expect(all.map(({ is_component }) => is_component)).toEqual(
      [...all].map((one) => one.is_component).sort(),
    );
    expect(all.find(({ id }) => id === live)).toMatchObject({
      is_component: true,
      current_version: 1,
      stage: "published",
    });
    expect(all.find(({ id }) => id === draft)).toMatchObject({ current_version: 1, stage: "draft" });
    const ottos = (await shown(otto)).map(({ id }) => id);
    expect([ottos.includes(live), ottos.includes(draft)]).toEqual([true, false]);
    expect((await otto.get(`/agents/${draft}`)).status).toBe(404);
    const narrow = clientOf(platform.url, platform.token("maria", [`agents:${live}:read`]));
    expect((await shown(narrow)).map(({ id }) => id)).toEqual([live]);
    await maria.call("DELETE", `/components/${live}`);
    expect((await shown(maria)).map(({ id }) => id)).not.toContain(live);
    expect((await maria.get(`/agents/${live}`)).status).toBe(404);
  });
});

describe("a stored team", () => {
  test("hands its work to stored and declared members, at the versions that it holds", async () => {
    const member = await create({ name: "Member", tools: ["add_numbers"] });
    const members = [
      { type: "agent", agent_id: member },
      { type: "agent", agent_id: "concierge" },
    ];
    const id = await create({ name: "Crew", mode: "route", members }, { component_type: "team" });
    await addVersion(member, { name: "Changed" });
    const shown = (await maria.get(`/teams/${id}`)).json;
    expect(shown).toMatchObject({ mode: "route", is_component: true });
    expect(shown.members.map(({ name }: { name: string }) => name)).toEqual(["Member", "Concierge"]);
    expect((await run(id, {}, maria, "teams")).json).toMatchObject({ status: "COMPLETED", team_id: id });
    const accepted = await run(id, { background: "true" }, maria, "teams");
    expect((await rested("teams", id, accepted)).json.status).toBe("COMPLETED");
  });

  test("with a member that was never published names it", async () => {
    const member = await create({}, { stage: "draft" });
    const members = [{ type: "agent", agent_id: member }];
    const id = await createBroken({ members }, { component_type: "team" });
    const answer = await run(id, {}, maria, "teams");
    expect([answer.status, answer.json.detail]).toEqual([422, expect.stringContaining(member)]);
  });

  test("whose member is broken says what of it is", async () => {
    const member = await createBroken({ tools: ["format_disk"] });
    const members = [{ type: "agent", agent_id: member }];
    const id = await createBroken({ members }, { component_type: "team" });
    expect((await run(id, {}, maria, "teams")).json.detail).toContain(`agent ${member}: tool format_disk`);
  });
});

describe("a stored workflow", () => {
  test("runs its steps: agents, registered functions, conditions, loops", async () => {
    const writer = await create({ name: "Writer" });
    const steps = [
      { type: "Step", name: "write", agent_id: writer },
      {
        type: "Condition",
        name: "long?",
        evaluator: "is_long",
        evaluator_type: "function",
        steps: [{ type: "Step", name: "never", executor_ref: "is_long" }],
        else_steps: [{ type: "Step", name: "outline", executor_ref: "outline" }],
      },
      {
        type: "Loop",
        name: "again",
        max_iterations: 2,
        steps: [{ type: "Steps", name: "both", steps: [{ name: "more", executor_ref: "outline" }] }],
      },
    ];
    const id = await create({ name: "Flow", steps }, { component_type: "workflow" });
    const content = "Outline: Outline: Outline: You said: hello";
    expect((await run(id, {}, maria, "workflows")).json).toMatchObject({ status: "COMPLETED", content });
    const accepted = await run(id, { background: "true" }, maria, "workflows");
    expect((await rested("workflows", id, accepted)).json).toMatchObject({ status: "COMPLETED", content });
    const shown = (await maria.get(`/workflows/${id}?version=1`)).json;
    expect(shown).toMatchObject({ is_component: true, current_version: 1, stage: "published" });
    expect(shown.steps).toHaveLength(3);
    expect((await maria.get(`/workflows/${id}?version=9`)).status).toBe(404);
    const [listed] = (await maria.get("/workflows")).json.filter((one: { id: string }) => one.id === id);
    expect(listed).toMatchObject({ is_component: true, stage: "published" });
  });

  test("waits for a person where its config says so", async () => {
    const human_review = { requires_confirmation: true, confirmation_message: "Go on?", on_reject: "cancel" };
    const steps = [{ type: "Step", name: "outline", executor_ref: "outline", human_review }];
    const id = await create({ steps }, { component_type: "workflow" });
    expect((await run(id, {}, maria, "workflows")).json.status).toBe("PAUSED");
  });

  test.each([
    [[{ type: "Step", name: "s", executor_ref: "rm_rf" }], "function rm_rf"],
    [[{ type: "Step", name: "s", agent_id: "unknown" }], "agent unknown"],
    [[{ type: "Step", name: "s" }], "step s"],
    [[{ type: "Teleport", name: "s" }], "step 1"],
    [
      [
        { name: "s", executor_ref: "outline" },
        { name: "s", executor_ref: "outline" },
      ],
      "one name",
    ],
  ])("with a step that cannot be executed says which (%#)", async (steps, named) => {
    const id = await createBroken({ steps }, { component_type: "workflow" });
    const answer = await run(id, {}, maria, "workflows");
    expect([answer.status, answer.json.detail]).toEqual([422, expect.stringContaining(named)]);
  });

  test("that leads to itself is refused instead of being built for ever", async () => {
    const workflow = { component_type: "workflow" };
    const one = await create({ steps: [] }, { ...workflow, stage: "draft" });
    const two = await createBroken({ steps: [{ name: "s", workflow_id: one }] }, workflow);
    const json = { config: { steps: [{ name: "s", workflow_id: two }] }, links: [], stage: "published" };
    const refused = await maria.call("PATCH", `/components/${one}/configs/1`, { json });
    expect([refused.status, refused.json.faults]).toEqual([
      422,
      [
        {
          path: "steps[0].workflow_id",
          message: `step s: workflow ${two}: step s: workflow ${one}: it would hold itself: ${one}, ${two}, ${one}`,
          error_code: "CONFLICT",
        },
      ],
    ]);
    expect((await maria.call("PATCH", `/components/${one}/configs/1?force=true`, { json })).status).toBe(200);
    const answer = await run(two, {}, maria, "workflows");
    expect([answer.status, answer.json.detail]).toEqual([422, expect.stringContaining("hold itself")]);
  });
});
