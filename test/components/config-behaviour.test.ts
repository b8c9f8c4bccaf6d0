import { describe, expect } from "vitest";
import { type Answer, type Client, clientOf } from "../support/client.ts";
import { createComponent } from "../support/create-component.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

/** What keys of a config do, seen in runs of the scripted model. Each was stored and ignored before. */
let platform: RunningPlatform;
let admin: Client;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
  admin = clientOf(platform.url, platform.adminToken);
});

type Fields = Readonly<Record<string, unknown>>;
let made = 0;
const create = (config: Fields, component_type = "agent") => {
  made += 1;
  const component_id = `behaving-${made}`;
  return createComponent(admin, { component_id, component_type, config, stage: "published" });
};
const run = (
  id: string,
  message: string,
  form: Record<string, string> = {},
  kind = "agents",
): Promise<Answer> => admin.post(`/${kind}/${id}/runs`, { form: { message, stream: "false", ...form } });
const systemOf = ({ json }: Answer): string =>
  (json.messages as { role: string; content?: string }[]).find(({ role }) => role === "system")?.content ??
  "";
const contextOf = ({ json }: Answer): string =>
  (json.messages as { from_history: boolean; context?: string }[]).find(
    ({ from_history, context }) => !from_history && context !== undefined,
  )?.context ?? "";
const workflow = (config: Fields) => create(config, "workflow");
const runWorkflow = (id: string, message: string, form: Record<string, string> = {}) =>
  run(id, message, form, "workflows");
const runTeam = (id: string, message: string, form: Record<string, string> = {}) =>
  run(id, message, form, "teams");
/** The runs of steps or members within a run. */
const within = ({ json }: Answer): { messages: { role: string; content?: string }[] }[] =>
  json.step_executor_runs ?? json.member_responses ?? [];

describe("dependencies", () => {
  const config = {
    dependencies: { city: "Bergen", country: "Norway" },
    instructions: "You serve {city}.",
    add_dependencies_to_context: true,
  };

  test("are in the prompt, and a request's replace them by name", async () => {
    const id = await create(config);
    const answer = await run(id, "hi");
    expect(systemOf(answer)).toBe("You serve Bergen.");
    expect(contextOf(answer)).toBe('<context>\nContext: {"city":"Bergen","country":"Norway"}\n</context>');
    const asked = await run(id, "hi", { dependencies: '{"city":"Oslo"}' });
    expect(systemOf(asked)).toBe("You serve Oslo.");
    expect(contextOf(asked)).toContain('Context: {"city":"Oslo","country":"Norway"}');
  });

  test("of a workflow reach its steps", async () => {
    const agent_id = await create({ instructions: "You serve {city}." });
    const id = await workflow({ dependencies: { city: "Bergen" }, steps: [{ name: "s", agent_id }] });
    const [nested] = within(await runWorkflow(id, "hi"));
    expect(nested?.messages[0]?.content).toBe("You serve Bergen.");
  });
});

describe("session_state", () => {
  test("is what a session begins with; what the session has stays", async () => {
    const id = await create({ session_state: { cart: [], currency: "NOK" }, instructions: "In {currency}." });
    const first = await run(id, "hi", { session_id: "behaving-state", session_state: '{"cart":["tea"]}' });
    expect(first.json.session_state).toEqual({ cart: ["tea"], currency: "NOK" });
    await admin.call("PATCH", "/sessions/behaving-state", {
      json: { session_state: { cart: ["tea"], currency: "SEK" } },
    });
    const second = await run(id, "hi", { session_id: "behaving-state" });
    expect(second.json.session_state).toEqual({ cart: ["tea"], currency: "SEK" });
    expect(systemOf(second)).toBe("In SEK.");
  });

  test("of a workflow reaches its steps", async () => {
    const agent_id = await create({ instructions: "In {currency}." });
    const id = await workflow({ session_state: { currency: "NOK" }, steps: [{ name: "s", agent_id }] });
    const answer = await runWorkflow(id, "hi");
    expect(within(answer)[0]?.messages[0]?.content).toBe("In NOK.");
  });

  test("is changed by the model where enable_agentic_state allows it", async () => {
    const id = await create({ session_state: { cart: [] }, enable_agentic_state: true });
    const call = '[[tool:update_session_state {"session_state_updates":{"cart":["milk"]}}]]';
    const answer = await run(id, call, { session_id: "behaving-agentic" });
    expect(answer.json.session_state).toEqual({ cart: ["milk"] });
    const later = await run(id, "hi", { session_id: "behaving-agentic" });
    expect(later.json.session_state).toEqual({ cart: ["milk"] });
  });
});

describe("input_schema of a workflow", () => {
  test("refuses a message of another shape, as agents do", async () => {
    const input_schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const id = await workflow({ input_schema, steps: [{ name: "s", executor_ref: "outline" }] });
    expect((await runWorkflow(id, '{"n":1}')).json.status).toBe("COMPLETED");
    const refused = await runWorkflow(id, '{"n":"x"}');
    expect([refused.status, refused.json.detail]).toEqual([
      400,
      expect.stringContaining("workflow's input schema"),
    ]);
    const streamed = await runWorkflow(id, "no JSON", { stream: "true" });
    expect(streamed.text).toContain("input_check_error");
  });
});

describe("history", () => {
  test("num_history_messages limits it, and begins with a message of the user", async () => {
    const id = await create({ add_history_to_context: true, num_history_messages: 3 });
    const form = { session_id: "behaving-history" };
    for (const message of ["one", "two", "three"]) await run(id, message, form);
    const { json } = await run(id, "four", form);
    expect(json.messages.map(({ content }: { content: string }) => content)).toEqual([
      "three",
      "You said: three",
      "four",
      "You said: four",
    ]);
  });

  test("num_history_runs: 3 shows exactly three earlier runs, and without it the beginning moves once in nine", async () => {
    const shownIn = async (config: Fields) => {
      const id = await create({ add_history_to_context: true, ...config });
      const shown: number[][] = [];
      for (let number = 1; number <= 9; number += 1) {
        const { json } = await run(id, `question ${number}`, { session_id: `${id}-nine` });
        const earlier = (json.messages as Fields[]).filter((one) => one.from_history && one.role === "user");
        shown.push(earlier.map(({ content }) => Number(String(content).split(" ")[1])));
      }
      return shown;
    };
    const [three, unset] = await Promise.all([shownIn({ num_history_runs: 3 }), shownIn({})]);
    const last = [[], [1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7], [6, 7, 8]];
    expect(three).toEqual(last);
    const kept = [
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
      [4, 5, 6],
      [4, 5, 6, 7],
      [4, 5, 6, 7, 8],
    ];
    expect(unset).toEqual([...last.slice(0, 4), ...kept]);
  });

  test("add_workflow_history_to_steps shows steps the earlier runs; a step may decline", async () => {
    const agent_id = await create({});
    const steps = [
      { name: "informed", agent_id },
      { name: "untold", agent_id, add_workflow_history: false },
    ];
    const id = await workflow({ add_workflow_history_to_steps: true, steps });
    const form = { session_id: "behaving-workflow" };
    await runWorkflow(id, "first", form);
    const [shown, untold] = within(await runWorkflow(id, "second", form));
    expect(shown?.messages[0]).toMatchObject({
      role: "user",
      context:
        "<context>\nEarlier runs of this workflow:\nuser: first\n\nassistant: You said: You said: first\n</context>",
    });
    expect(untold?.messages[0]).not.toHaveProperty("context");
  });
});

describe("knowledge", () => {
  test("add_knowledge_to_context searches for the message before the model is asked", async () => {
    await admin.post("/knowledge/content", {
      form: { name: "tides", text_content: "The tide in Bergen turns at noon." },
    });
    const id = await create({
      knowledge: { name: "handbook" },
      search_knowledge: false,
      add_knowledge_to_context: true,
    });
    await expect
      .poll(async () => contextOf(await run(id, "tide in Bergen")))
      .toContain("The tide in Bergen turns at noon.");
  });
});

describe("a team", () => {
  const members = [{ agent_id: "concierge" }, { agent_id: "companion" }];
  const handOn = '[[tool:delegate_task_to_member {"member_id":"concierge","task":"Say hi"}]]';

  test("that responds directly, or delegates to all, has the mode that this means", async () => {
    const routing = await create({ members, respond_directly: true }, "team");
    expect((await runTeam(routing, handOn)).json.content).toBe("You said: Say hi");
    const asking = await create({ members, delegate_to_all_members: true }, "team");
    expect(within(await runTeam(asking, "hi all"))).toHaveLength(2);
    const both = await create({ members, mode: "coordinate", respond_directly: true }, "team");
    expect((await admin.get(`/teams/${both}`)).json.mode).toBe("coordinate");
  });

  test("that does not word its members' input hands on the message as it is", async () => {
    const id = await create({ members, mode: "route", determine_input_for_members: false }, "team");
    const [member] = within(await runTeam(id, handOn));
    expect(member?.messages.find(({ role }) => role === "user")?.content).toBe(handOn);
  });
});

describe("steps", () => {
  const outline = { name: "outline", executor_ref: "outline" };

  test.each([
    { requires_user_input: true },
    { human_review: { requires_user_input: true, user_input_message: "Which?" } },
  ])("a router that asks a person does so although it has a selector: %j", async (asking) => {
    const router = { type: "Router", name: "r", choices: [outline], selector: "outline", ...asking };
    const id = await workflow({ steps: [router] });
    const { json } = await runWorkflow(id, "hi");
    expect(json.status).toBe("PAUSED");
    expect(json.step_requirements[0]).toMatchObject({
      requires_route_selection: true,
      available_choices: ["outline"],
    });
  });

  test("a loop that does not forward outputs begins each iteration with its input", async () => {
    const loop = { type: "Loop", name: "l", max_iterations: 2, steps: [outline] };
    const forwarding = await workflow({ steps: [loop] });
    expect((await runWorkflow(forwarding, "hi")).json.content).toBe("Outline: Outline: hi");
    const id = await workflow({ steps: [{ ...loop, forward_iteration_output: false }] });
    expect((await runWorkflow(id, "hi")).json.content).toBe("Outline: hi");
  });
});
