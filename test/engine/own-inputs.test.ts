import { describe, expect, test } from "vitest";
import { defineAgent, withOwnInputs } from "../../shared/engine/define/agent.ts";
import { openSessionState } from "../../shared/engine/ports/session-state.ts";
import { anAgent, aRequest, aTool, runAgent } from "./support/run-agent.ts";
import { aMember, aTeam, handOn, outputOf, playOut } from "./team/support.ts";

describe("what an agent brings to its runs", () => {
  test("reaches its tools; the request takes precedence by name", async () => {
    const { tool, seen } = aTool();
    const agent = anAgent({
      tools: [tool],
      dependencies: { city: "Bergen", country: "Norway" },
      session_state: { cart: [], currency: "NOK" },
    });
    const request = aRequest('[[tool:add {"a":1,"b":2}]]', {
      dependencies: { city: "Oslo" },
      session_state: { cart: ["tea"] },
    });
    const { outcome } = await runAgent("", { agent, request });
    expect(seen).toMatchObject([
      {
        context: {
          dependencies: { city: "Oslo", country: "Norway" },
          session_state: { cart: ["tea"], currency: "NOK" },
        },
      },
    ]);
    expect(outcome.output.session_state).toEqual({ cart: ["tea"], currency: "NOK" });
  });

  test("a request stays as it is where it brings nothing", () => {
    const request = aRequest("hi");
    expect(withOwnInputs(anAgent(), request)).toEqual(request);
  });

  test("a member has its team's dependencies and state, and its own where the team has none", async () => {
    const ann = aMember("ann", {
      instructions: "{city} {country} {mood}",
      dependencies: { city: "Oslo", country: "Norway" },
      session_state: { mood: "calm" },
    });
    const team = aTeam({ members: [ann], dependencies: { city: "Bergen" } });
    const played = await playOut(team, handOn("ann", "Say hi"));
    const [member] = outputOf(played).member_responses ?? [];
    expect(member?.messages?.[0]?.content).toBe("Bergen Norway calm");
    expect(outputOf(played).session_state ?? {}).toEqual({});
  });

  test("a shared state is changed for all, under the values that one begins with", () => {
    const shared = openSessionState({ base: { b: 1 } });
    const own = shared.within({ session_state: { a: 0, b: 0 } });
    expect(own.current()).toEqual({ a: 0, b: 1 });
    expect(own.open("call").update({ b: 2 })).toEqual({ a: 0, b: 2 });
    expect(shared.current()).toEqual({ b: 2 });
  });
});

describe("a search before the model is asked", () => {
  const base = defineAgent({ id: "a", name: "A", knowledge: "handbook", add_knowledge_to_context: true });
  const agent = { ...base, knowledge_filters: { topic: "tides" } };

  test("asks with the message, the filters and the user, and shows what was found", async () => {
    const asked: unknown[] = [];
    const searchKnowledge = async (question: unknown) => {
      asked.push(question);
      return [{ content: "It turns at noon.", meta_data: {} }];
    };
    const { outcome } = await runAgent("When?", { agent, searchKnowledge });
    expect(asked).toMatchObject([{ base: "handbook", query: "When?", chosen: {}, user_id: "maria" }]);
    expect(JSON.stringify(asked)).toContain("tides");
    expect(outcome.output.messages?.[0]?.context).toContain("It turns at noon.");
  });

  test("is left out where nothing is found, and a failure is logged", async () => {
    const warned: string[] = [];
    const nothing = await runAgent("When?", { agent, searchKnowledge: async () => [] });
    expect(nothing.outcome.output.messages?.[0]?.role).toBe("user");
    const failed = await runAgent("When?", {
      agent,
      searchKnowledge: () => Promise.reject(new Error("down")),
      warn: (message) => warned.push(message),
    });
    expect(failed.outcome.status).toBe("COMPLETED");
    expect(warned).toEqual(["knowledge could not be searched"]);
  });
});
