import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LearningEntry } from "../../shared/engine/component/build/agent-entries.ts";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { connectLearnings } from "../../shared/engine/recall/connect-books.ts";
import { entriesIn, type LearningModes } from "../../shared/engine/recall/learning-kind.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";
import { recordsOf } from "../../shared/stores/owned/get-owned.ts";
import { learningKind } from "../../shared/stores/owned/learning-item.ts";
import { continueAgent, pausedState } from "../engine/support/continue-agent.ts";
import { forgetful } from "../engine/support/forgetful.ts";
import { aRequest, runAgent } from "../engine/support/run-agent.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

let runs = 0;

/** One run of an agent that learns like this, as one user. */
function howOf(learning: boolean | LearningModes, input: string, user_id: string, session_id = "session-1") {
  runs += 1;
  return {
    agent: defineAgent({ id: "student", name: "Student", learning }),
    request: aRequest(input, { user_id, session_id, run_id: `run-${runs}` }),
    learnings: connectLearnings(stores.db, user_id, systemClock),
  };
}
const run = (learning: boolean | LearningModes, input: string, user_id: string, session_id?: string) =>
  runAgent(input, howOf(learning, input, user_id, session_id));
const learn = (kind: string, given: object) => `[[learn:${kind} ${JSON.stringify(given)}]]`;
const call = (name: string, given: object) => `[[tool:${name} ${JSON.stringify(given)}]]`;
const learningsOf = (user: string) => recordsOf(stores.db, learningKind, user);
const contextOf = ({ outcome }: Awaited<ReturnType<typeof run>>) =>
  outcome.output.messages?.find(({ from_history }) => !from_history)?.context ?? "";
const ID = expect.stringMatching(/^[0-9a-f]{8}$/);
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe("what is always learned", () => {
  const always: LearningModes = {
    user_profile: "always",
    user_memory: "always",
    session_context: "always",
    entity_memory: "always",
    decision_log: "always",
  };

  test("is asked for once after the answer, recorded in the form of its kind, and counted", async () => {
    const input = [
      learn("user_profile", { name: "Mira Holm" }),
      learn("user_memory", { add: ["Sails.", "Lives in Oslo."] }),
      learn("session_context", {
        summary: "Plans a trip.",
        goal: "Reach Bergen",
        plan: ["Book"],
        progress: [],
      }),
      learn("entity_memory", {
        entity_type: "company",
        entity_id: "nordlys",
        properties: { seat: "Bergen" },
        facts: ["Ships daily"],
        events: [{ content: "Was founded", date: "1999-01-01" }],
        relationships: [{ entity_id: "mira", relation: "employs" }],
      }),
      learn("decision_log", { decision: "By ferry", confidence: 0.8, decision_type: "travel" }),
    ].join(" ");
    const { outcome } = await run(always, `Hello. ${input}`, "all", "s-all");
    expect(outcome.status).toBe("COMPLETED");
    expect(outcome.output.tools ?? []).toEqual([]);
    expect(outcome.output.metrics?.details?.learning_model).toHaveLength(1);
    const found = await learningsOf("all");
    const contents = Object.fromEntries(found.map(({ learning_type, content }) => [learning_type, content]));
    const times = { created_at: ISO, updated_at: ISO };
    expect(contents).toEqual({
      user_profile: { user_id: "all", name: "Mira Holm" },
      user_memory: {
        user_id: "all",
        memories: [
          { id: ID, content: "Sails.", ...times },
          { id: ID, content: "Lives in Oslo.", ...times },
        ],
      },
      session_context: {
        session_id: "s-all",
        user_id: "all",
        summary: "Plans a trip.",
        goal: "Reach Bergen",
        plan: ["Book"],
        progress: [],
      },
      entity_memory: {
        entity_type: "company",
        entity_id: "nordlys",
        namespace: "user",
        properties: { seat: "Bergen" },
        facts: [{ id: ID, content: "Ships daily", ...times }],
        events: [{ id: ID, content: "Was founded", date: "1999-01-01", ...times }],
        relationships: [{ id: ID, entity_id: "mira", relation: "employs", direction: "outgoing", ...times }],
      },
      decision_log: {
        id: expect.stringMatching(/^dec_[0-9a-f]{8}$/),
        decision: "By ferry",
        decision_type: "travel",
        confidence: 0.8,
        alternatives: [],
        tags: [],
      },
    });
    expect(found.map(({ learning_id }) => learning_id).sort()).toEqual([
      expect.stringMatching(/^dec_/),
      expect.stringMatching(/^entity_user_[0-9a-f]{16}_company_nordlys$/),
      "memories_all",
      "session_context_s-all",
      "user_profile_all",
    ]);
    expect(found.every(({ agent_id, user_id }) => agent_id === "student" && user_id === "all")).toBe(true);
  });

  test("is recorded once, however often the run is executed", async () => {
    const how = howOf(always, learn("user_memory", { add: ["Sails."] }), "again");
    await runAgent(how.request.input, how);
    await runAgent(how.request.input, how);
    const [{ content } = {}, ...others] = await learningsOf("again");
    expect(others).toEqual([]);
    expect(content?.memories).toHaveLength(1);
  });

  test("is shown to the next run, which may replace or remove it", async () => {
    const add = ["Sails.", "Lives in Oslo."];
    await run(always, learn("user_memory", { add }), "change");
    const [{ content } = {}] = await learningsOf("change");
    const [first, second] = entriesIn(content ?? undefined, "memories");
    const change = { replace: [{ id: second?.id, content: "Lives in Bergen." }], remove: [first?.id] };
    const next = await run(always, learn("user_memory", change), "change");
    expect(contextOf(next)).toContain("Lives in Oslo.");
    const [changed] = await learningsOf("change");
    expect(changed?.content?.memories).toEqual([
      { id: second?.id, content: "Lives in Bergen.", created_at: ISO, updated_at: ISO },
    ]);
  });

  test("of a session is shown in this session alone", async () => {
    await run(always, learn("session_context", { goal: "Reach Bergen" }), "sessions", "s-1");
    expect(contextOf(await run(always, "And?", "sessions", "s-1"))).toContain("Reach Bergen");
    expect(contextOf(await run(always, "And?", "sessions", "s-2"))).not.toContain("Reach Bergen");
  });

  test("is left out where the model says what makes no sense, or of what was not asked for", async () => {
    const only: LearningModes = { user_memory: "always" };
    const input = `${learn("user_memory", { add: "no list" })} ${learn("user_profile", { name: "Mira" })}`;
    const { outcome } = await run(only, input, "nonsense");
    expect(outcome.status).toBe("COMPLETED");
    expect(await learningsOf("nonsense")).toEqual([]);
  });

  test("fails no run when the model or the store does", async () => {
    const input = learn("user_memory", { add: ["Sails."] });
    const warned: string[] = [];
    const warn = (text: string) => void warned.push(text);
    const broken = breakingDb(stores.db, 1);
    const db: Db = broken.db;
    const how = { ...howOf(always, input, "faults"), warn };
    const down = await runAgent(input, { ...how, learnings: connectLearnings(db, "faults", systemClock) });
    expect(down.outcome.status).toBe("COMPLETED");
    const models = forgetful("user_memory");
    expect((await runAgent(input, { ...how, models })).outcome.status).toBe("COMPLETED");
    expect(await learningsOf("faults")).toEqual([]);
    expect(warned).toContain("learnings could not be saved");
  });
});

describe("what is learned while the model works", () => {
  const agentic: LearningModes = { user_memory: "agentic", session_context: "agentic" };

  test("is recorded by tools, and by no further call of the model", async () => {
    const { outcome } = await run(agentic, call("save_user_memory", { add: ["Sails."] }), "tools", "s-tools");
    expect(outcome.output.tools?.map(({ result }) => result)).toEqual([
      "What is known of the user is saved.",
    ]);
    expect(outcome.output.metrics?.details?.learning_model).toBeUndefined();
    await run(agentic, call("save_session_context", { goal: "Reach Bergen" }), "tools", "s-tools");
    await run(agentic, call("save_session_context", { progress: ["Booked"] }), "tools", "s-tools");
    const types = Object.fromEntries(
      (await learningsOf("tools")).map((one) => [one.learning_type, one.content]),
    );
    expect(types.session_context).toMatchObject({ goal: "Reach Bergen", progress: ["Booked"] });
  });

  test("has an end: what is too much is refused, and what was there stays", async () => {
    const add = Array.from({ length: 300 }, (_, i) => `Fact ${i}`);
    await run(agentic, call("save_user_memory", { add }), "much");
    const { outcome } = await run(agentic, call("save_user_memory", { add: ["One more"] }), "much");
    expect(outcome.output.tools?.[0]).toMatchObject({
      tool_call_error: true,
      result: expect.stringContaining("room for 300"),
    });
    expect((await learningsOf("much"))[0]?.content?.memories).toHaveLength(300);
  });
});

describe("a stored agent", () => {
  const modes = (learning: object) => v.safeParse(LearningEntry, learning);

  test("names by kind whether, in which mode, or an object with one; what names no kind learns as usual", () => {
    const learning = {
      user_profile: true,
      user_memory: { mode: "always" },
      decision_log: "propose",
      other: 1,
    };
    expect(modes(learning).output).toEqual({
      user_profile: "agentic",
      user_memory: "always",
      decision_log: "propose",
    });
    expect(modes({ user_profile: false }).output).toEqual({});
    expect(modes({ anything: { else: 1 } }).output).toBe(true);
  });

  test.each(["hitl", "sometimes", 7])("cannot learn in the mode %s", (mode) => {
    const { success, issues } = modes({ user_memory: { mode } });
    expect([success, issues?.[0].message]).toEqual([false, expect.stringContaining("user_memory")]);
  });
});

describe("what is proposed", () => {
  const propose: LearningModes = { user_profile: "propose" };

  test("waits for a person, and is recorded once that one agrees", async () => {
    const how = howOf(propose, call("save_user_profile", { name: "Mira" }), "asked");
    const state = await pausedState(how.request.input, how);
    expect(state.tools).toMatchObject([{ tool_name: "save_user_profile", requires_confirmation: true }]);
    expect(await learningsOf("asked")).toEqual([]);
    const { outcome } = await continueAgent(state, { confirmed: true }, how);
    expect(outcome.status).toBe("COMPLETED");
    expect(await learningsOf("asked")).toMatchObject([{ content: { user_id: "asked", name: "Mira" } }]);
  });

  test("is not recorded where that one does not", async () => {
    const how = howOf(propose, call("save_user_profile", { name: "Mira" }), "declined");
    const state = await pausedState(how.request.input, how);
    const { outcome } = await continueAgent(state, { confirmed: false }, how);
    expect(outcome.status).toBe("COMPLETED");
    expect(await learningsOf("declined")).toEqual([]);
  });
});
