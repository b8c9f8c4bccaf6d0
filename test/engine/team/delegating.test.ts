import { describe, expect, test } from "vitest";
import { aTool } from "../support/run-agent.ts";
import {
  aMember,
  aTeam,
  directive,
  handOn,
  orderOf,
  outputOf,
  play,
  playInSlices,
  playOut,
  timeless,
} from "./support.ts";

describe("a team that coordinates", () => {
  test("emits the events of its members within its own, in the order of the wire", async () => {
    const { events } = await playOut(aTeam(), handOn("ann", "Say hi"));
    expect(orderOf(events)).toEqual([
      "TeamRunStarted",
      "TeamModelRequestStarted",
      "TeamModelRequestCompleted",
      "TeamToolCallStarted",
      "ann RunStarted",
      "ann ModelRequestStarted",
      "ann RunContent",
      "ann ModelRequestCompleted",
      "ann RunContentCompleted",
      "ann RunCompleted",
      "TeamToolCallCompleted",
      "TeamModelRequestStarted",
      "TeamRunContent",
      "TeamModelRequestCompleted",
      "TeamRunContentCompleted",
      "TeamRunCompleted",
    ]);
  });

  test("gives members runs of their own, which name their parent and the call that asked for them", async () => {
    const played = await playOut(aTeam(), handOn("ann", "Say hi"));
    const output = outputOf(played);
    const [member] = output.member_responses ?? [];
    expect(output).toMatchObject({ status: "COMPLETED", team_id: "desk", content: "You said: Say hi" });
    expect(output).not.toHaveProperty("agent_id");
    expect(member).toMatchObject({
      agent_id: "ann",
      parent_run_id: "run-1",
      parent_tool_call_id: "call_1",
      session_id: "session-1",
      user_id: "maria",
      input: { input_content: "Say hi" },
      content: "You said: Say hi",
      status: "COMPLETED",
    });
    expect(output.tools?.[0]).toMatchObject({
      child_run_id: member?.run_id,
      result: "You said: Say hi",
      tool_call_error: false,
    });
    const memberEvents = played.events.filter((event) => "agent_id" in event);
    expect(memberEvents.length).toBeGreaterThan(0);
    for (const event of memberEvents) {
      expect(event).toMatchObject({ run_id: member?.run_id, parent_run_id: "run-1", nested_depth: 1 });
    }
  });

  test("hands on several tasks of one turn side by side", async () => {
    let inside = 0;
    let most = 0;
    const slow = aTool({
      name: "wait",
      execute: async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
      },
    }).tool;
    const members = ["ann", "ben"].map((id) => aMember(id, { tools: [slow] }));
    const both = aTeam({ members, mode: "broadcast" });
    await playOut(both, directive("wait", { a: 1, b: 2 }));
    expect(most).toBe(2);
  });

  test("is shown a member's failure and may do better", async () => {
    const { outcome, events } = await playOut(
      aTeam(),
      `${handOn("ann", "[[fail:boom]]")}${handOn("ben", "hi")}`,
    );
    expect(outcome).toMatchObject({
      status: "COMPLETED",
      output: { content: expect.stringContaining("You said: hi") },
    });
    expect(outcome.output.member_responses?.map(({ status }) => status)).toEqual(["ERROR", "COMPLETED"]);
    expect(orderOf(events)).toContain("TeamToolCallError");
    expect(outcome.output.tools?.[0]).toMatchObject({ tool_call_error: true, result: "ANN failed: boom" });
  });

  test("is shown that a name is no member of it", async () => {
    const { outcome } = await playOut(aTeam(), handOn("zoe", "hi"));
    expect(outcome.output.tools?.[0]?.result).toContain("is no member; members are ann, ben");
    expect(outcome.output.member_responses).toEqual([]);
  });

  test("keeps the events of its members to itself where it is configured to, and their runs all the same", async () => {
    const { outcome, events } = await playOut(aTeam({ stream_member_events: false }), handOn("ann", "hi"));
    expect(events.filter((event) => "agent_id" in event)).toEqual([]);
    expect(outcome.output.member_responses).toHaveLength(1);
  });
});

test("a team that routes answers with its member's words, and its leader is asked no more", async () => {
  const { outcome, events } = await playOut(aTeam({ mode: "route" }), handOn("ben", "Who are you?"));
  expect(outcome.output.content).toBe("You said: Who are you?");
  expect(orderOf(events).slice(-4)).toEqual([
    "TeamToolCallCompleted",
    "TeamRunContent",
    "TeamRunContentCompleted",
    "TeamRunCompleted",
  ]);
  expect(events.filter(({ event }) => event === "TeamModelRequestStarted")).toHaveLength(1);
});

test("a team that routes fails with what its member failed with", async () => {
  const { outcome, events } = await playOut(aTeam({ mode: "route" }), handOn("ben", "[[fail:boom]]"));
  expect(outcome).toMatchObject({ status: "ERROR", error: "boom", cause: "model" });
  expect(orderOf(events).at(-1)).toBe("TeamRunError");
});

describe("a team that broadcasts", () => {
  test("gives every member the input before its leader is asked", async () => {
    const { outcome, events } = await playOut(aTeam({ mode: "broadcast" }), "hello");
    expect(outcome.output.content).toBe("ANN: You said: hello\n\nBEN: You said: hello");
    expect(outcome.output.member_responses?.map(({ agent_id }) => agent_id)).toEqual(["ann", "ben"]);
    expect(events.filter(({ event }) => event === "TeamModelRequestStarted")).toHaveLength(1);
    expect(orderOf(events)[1]).toBe("TeamToolCallStarted");
  });

  const failing = aMember("ann", {
    pre_hooks: [{ name: "no", check: () => ({ refused: "No.", error_id: "no" }) }],
  });

  test("continues with the members that can answer", async () => {
    const team = aTeam({ mode: "broadcast", members: [failing, aMember("ben")] });
    const { outcome } = await playOut(team, "hello");
    expect(outcome).toMatchObject({
      status: "COMPLETED",
      output: { content: "ANN failed: No.\n\nBEN: You said: hello" },
    });
  });

  test("fails when none of them can", async () => {
    const { outcome } = await playOut(aTeam({ mode: "broadcast", members: [failing] }), "hello");
    expect(outcome).toMatchObject({ status: "ERROR", error: "No.", cause: "input" });
  });
});

test("teams may be members of teams, and say how deep they stand", async () => {
  const inner = { ...aTeam({ id: "inner", name: "Inner" }) };
  const outer = aTeam({ members: [inner] });
  const { outcome, events } = await playOut(outer, handOn("inner", handOn("ben", "deep")));
  const [team] = outcome.output.member_responses ?? [];
  const [agent] = team?.member_responses ?? [];
  expect(outcome.output.content).toBe("You said: deep");
  expect(team).toMatchObject({ team_id: "inner", parent_run_id: "run-1" });
  expect(agent).toMatchObject({ agent_id: "ben", parent_run_id: team?.run_id });
  expect(new Set(events.map(({ nested_depth }) => nested_depth))).toEqual(new Set([0, 1, 2]));
});

test("teams within teams come to an end", async () => {
  const { outcome } = await playOut(aTeam(), handOn("ann", "hi"), {
    request: { nested: { nested_depth: 10 } },
  });
  expect(outcome.output.tools?.[0]).toMatchObject({ tool_call_error: true });
  expect(outcome.output.member_responses).toEqual([]);
});

const { tool: add } = aTool();
const adders = ["ann", "ben"].map((id) => aMember(id, { tools: [add] }));
const sum = directive("add", { a: 1, b: 2 });
const inputs = {
  coordinate: [
    aTeam({ members: adders }),
    `${handOn("ann", `${sum}[[tokens:3]]`)}${handOn("ben", sum)}[[tokens:4]]`,
  ],
  route: [aTeam({ members: adders, mode: "route" }), handOn("ann", sum)],
  broadcast: [aTeam({ members: [aMember("ann", { tools: [add] })], mode: "broadcast" }), sum],
  nested: [
    aTeam({ members: [aTeam({ id: "inner", name: "Inner", members: adders })] }),
    handOn("inner", `${handOn("ben", sum)}${handOn("ann", "hi")}`),
  ],
} as const;

describe.each(Object.entries(inputs))("%s", (_, [team, input]) => {
  test("handed off after every step emits and gives the same as in one go", async () => {
    const whole = await playOut(team, input);
    const sliced = await playInSlices(team, input);
    expect(timeless(sliced.events)).toEqual(timeless(whole.events));
    expect(timeless(sliced.outcome)).toEqual(timeless(whole.outcome));
    expect(whole.outcome.status).toBe("COMPLETED");
  });
});

test("a run that is handed off within a member's goes on there", async () => {
  const team = aTeam({ members: adders });
  let steps = 0;
  const first = await play(team, handOn("ann", sum), { shouldYield: () => ++steps >= 2 });
  if (first.outcome.status !== "YIELDED") throw new Error("it was asked to yield");
  expect(first.outcome.state.members).toMatchObject([
    { member_id: "ann", state: { tools: [{ result: null }] } },
  ]);
  const rest = await playOut(team, handOn("ann", sum), { from: first.outcome.state });
  expect(orderOf(rest.events)[0]).toBe("ann ToolCallStarted");
  expect(rest.outcome.output.content).toBe("3");
});
