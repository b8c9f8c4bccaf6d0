import { describe, expect, test } from "vitest";
import { approvalOfPause, placedCalls } from "../../../shared/engine/pause/approval-of.ts";
import { decideOnContinue } from "../../../shared/engine/pause/decide-on-continue.ts";
import { toolAnswersOf } from "../../../shared/engine/pause/enter-answers.ts";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { aTool } from "../support/run-agent.ts";
import {
  aMember,
  answer,
  answersTo,
  answerTo,
  aTeam,
  directive,
  handOn,
  orderOf,
  paused,
  playInSlices,
  playOut,
  timeless,
} from "./support.ts";

const sum = directive("add", { a: 1, b: 2 });
const confirming = (parts = {}) => aTool({ requires_confirmation: true, ...parts });
const yes = { confirmation: true };

/** A team whose members ask before they add. */
function askingTeam(parts: Parameters<typeof aTeam>[0] = {}, tool = confirming()) {
  const members = ["ann", "ben"].map((id) => aMember(id, { tools: [tool.tool] }));
  return { team: aTeam({ members, ...parts }), seen: tool.seen };
}

describe("a member that waits for a person", () => {
  test("pauses its team, which says what is waited for and where", async () => {
    const { team, seen } = askingTeam();
    const { outcome, events } = await playOut(team, handOn("ann", sum));
    expect(orderOf(events).slice(3)).toEqual([
      "TeamToolCallStarted",
      "ann RunStarted",
      "ann ModelRequestStarted",
      "ann ModelRequestCompleted",
      "ann RunContentCompleted",
      "ann RunPaused",
      "TeamToolCallCompleted",
      "TeamRunContentCompleted",
      "TeamRunPaused",
    ]);
    const [member] = outcome.output.member_responses ?? [];
    expect(outcome.output).toMatchObject({
      status: "PAUSED",
      content: "Waiting for confirmation of add.",
      requirements: [
        {
          member_agent_id: "ann",
          member_agent_name: "ANN",
          member_run_id: member?.run_id,
          tool_execution: { tool_name: "add", confirmed: null },
        },
      ],
    });
    expect(member?.requirements?.[0]?.id).toBe(outcome.output.requirements?.[0]?.id);
    expect(seen).toEqual([]);
  });

  test("goes on before its team does, and the team says so once it goes on itself", async () => {
    const { team, seen } = askingTeam();
    const run = paused(team, await playOut(team, handOn("ann", sum)));
    const { state, output } = answer(run, team, answersTo(run, yes));
    const { outcome, events } = await playOut(team, handOn("ann", sum), { from: state, continues: true });
    expect(orderOf(events)).toEqual([
      "ann RunContinued",
      "ann ToolCallStarted",
      "ann ToolCallCompleted",
      "ann ModelRequestStarted",
      "ann RunContent",
      "ann ModelRequestCompleted",
      "ann RunContentCompleted",
      "ann RunCompleted",
      "TeamRunContinued",
      "TeamModelRequestStarted",
      "TeamRunContent",
      "TeamModelRequestCompleted",
      "TeamRunContentCompleted",
      "TeamRunCompleted",
    ]);
    expect(seen).toHaveLength(1);
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "3" });
    expect(outcome.output.member_responses).toMatchObject([
      { status: "COMPLETED", content: "3", requirements: [{ confirmation: true }] },
    ]);
    expect(output.requirements).toMatchObject([{ confirmation: true, tool_execution: { confirmed: true } }]);
  });

  test("emits the same over slices", async () => {
    const { team } = askingTeam();
    const task = handOn("ann", sum);
    const [inOne, inMany] = [await playOut(team, task), await playInSlices(team, task)];
    expect(timeless(inMany.events)).toEqual(timeless(inOne.events));
    expect(timeless(inMany.outcome)).toEqual(timeless(inOne.outcome));
    const run = paused(team, await playOut(team, handOn("ann", sum)));
    const { state } = answer(run, team, answersTo(run, yes));
    const how = { from: state, continues: true };
    const whole = await playOut(team, handOn("ann", sum), how);
    const sliced = await playInSlices(team, handOn("ann", sum), how);
    expect(timeless(sliced.events)).toEqual(timeless(whole.events));
    expect(timeless(sliced.outcome)).toEqual(timeless(whole.outcome));
  });

  test("continues with a refusal, and nothing is executed", async () => {
    const { team, seen } = askingTeam();
    const run = paused(team, await playOut(team, handOn("ann", sum)));
    const refusal = { confirmation: false, confirmation_note: "Too much." };
    const { state } = answer(run, team, answersTo(run, refusal));
    const { outcome } = await playOut(team, handOn("ann", sum), { from: state, continues: true });
    expect(seen).toEqual([]);
    expect(outcome.output.content).toBe("A person refused this call: Too much.");
  });

  test("may wait again before its team goes on", async () => {
    const { team } = askingTeam();
    const task = handOn("ann", `${sum}${directive("add", { a: 3, b: 4 })}`);
    const first = paused(team, await playOut(team, task));
    const again = await playOut(team, task, {
      from: answer(first, team, answersTo(first, yes)).state,
      continues: true,
    });
    expect(orderOf(again.events).slice(-2)).toEqual(["TeamRunContentCompleted", "TeamRunPaused"]);
    expect(orderOf(again.events)).not.toContain("TeamRunContinued");
    expect(orderOf(again.events)).not.toContain("TeamToolCallCompleted");
    const second = paused(team, again);
    const last = await playOut(team, task, {
      from: answer(second, team, answersTo(second, yes)).state,
      continues: true,
    });
    expect(last.outcome.output).toMatchObject({ status: "COMPLETED", content: "3\n7" });
    expect(last.outcome.output.member_responses?.[0]?.requirements).toHaveLength(2);
  });
});

describe("two members that wait at once", () => {
  const begin = async (team: ReturnType<typeof aTeam>) => paused(team, await playOut(team, sum));

  test("are distinguished though their models gave their calls the same id", async () => {
    const { team, seen } = askingTeam({ mode: "broadcast" });
    const run = await begin(team);
    const [ann, ben] = run.output.requirements ?? [];
    expect(ann?.tool_execution.tool_call_id).toBe(ben?.tool_execution.tool_call_id);
    const { state } = answer(run, team, [
      answerTo(ann, { confirmation: true }),
      answerTo(ben, { confirmation: false }),
    ]);
    const { outcome } = await playOut(team, sum, { from: state, continues: true });
    expect(outcome.output.content).toBe("ANN: 3\n\nBEN: A person refused this call; it was not executed.");
    expect(seen).toHaveLength(1);
  });

  test("must both be answered", async () => {
    const { team } = askingTeam({ mode: "broadcast" });
    const run = await begin(team);
    const [ann = {}] = answersTo(run, yes);
    expect(() => answer(run, team, [ann])).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
    expect(() => answer(run, team, [{ id: "other", confirmation: true }])).toThrow(
      expect.objectContaining({ code: "BAD_REQUEST" }),
    );
  });

  test("wait for one approval, which covers the calls of both", async () => {
    const tool = confirming({ approval_type: "required" });
    const { team } = askingTeam({ mode: "broadcast" }, tool);
    const played = await playOut(team, sum);
    const run = paused(team, played);
    if (played.outcome.status !== "PAUSED") throw new Error("it waits");
    const approval = approvalOfPause(run, played.outcome, 0, 0);
    if (!approval) throw new Error("it needs an approval");
    const keys = run.output.member_responses?.map(({ run_id }) => `${run_id}/call_1`);
    expect(Object.keys(approval.digests)).toEqual(keys);
    expect(approval).toMatchObject({ team_id: "desk", tool_name: "add", source_name: "Desk" });
    expect(approval.requirements).toHaveLength(2);
    const ids = run.output.member_responses?.flatMap(({ tools = [] }) =>
      tools.map((call) => call.approval_id),
    );
    expect(new Set(ids)).toEqual(new Set([approval.id]));

    expect(() => answer(run, team, [], [approval])).toThrow(expect.objectContaining({ code: "CONFLICT" }));
    const answers = toolAnswersOf(answersTo(run, yes), run.output.requirements);
    const decided = decideOnContinue(approval, answers, placedCalls(run.output), "admin", 1);
    expect(decided.resolution).toMatchObject({ status: "approved" });
    const { state } = answer(run, team, [], [decided.approval]);
    const { outcome } = await playOut(team, sum, { from: state, continues: true });
    expect(outcome.output.content).toBe("ANN: 3\n\nBEN: 3");
    expect(tool.seen).toHaveLength(2);
  });

  test("wait for one approval also when they come to wait in different slices", async () => {
    const tool = confirming({ approval_type: "required" });
    const inner = askingTeam({ id: "inner", name: "Inner", mode: "broadcast" }, tool).team;
    const team = aTeam({ members: [aMember("eve", { tools: [tool.tool] }), inner], mode: "broadcast" });
    const sliced = await playInSlices(team, sum);
    const approvalIds = (output: RunOutput): unknown[] => [
      ...(output.tools ?? []).flatMap(({ approval_id }) => approval_id ?? []),
      ...(output.member_responses ?? []).flatMap(approvalIds),
    ];
    const ids = approvalIds(sliced.outcome.output);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });

  test("are not to be continued when a tool has changed since", async () => {
    const { team } = askingTeam({ mode: "broadcast" });
    const run = await begin(team);
    const changed = askingTeam(
      { mode: "broadcast" },
      confirming({ parameters: aTool().tool.parameters, input_schema: { type: "object" } }),
    );
    expect(() => answer(run, changed.team, answersTo(run, yes))).toThrow(
      expect.objectContaining({ code: "CONFLICT" }),
    );
  });
});

test("an answer in the call, in the requirement, or by the requirement's id alone is the same answer", async () => {
  const { team } = askingTeam();
  const run = paused(team, await playOut(team, handOn("ann", sum)));
  const [asked] = run.output.requirements ?? [];
  if (!asked) throw new Error("it waits");
  const forms = [
    { ...asked, confirmation: true },
    { ...asked, tool_execution: { ...asked.tool_execution, confirmed: true } },
    { id: asked.id, confirmation: true },
    { member_run_id: asked.member_run_id, tool_execution: { tool_call_id: "call_1", confirmed: true } },
  ];
  for (const form of forms) {
    const { output } = answer(run, team, [answerTo(form, {})]);
    expect(output.member_responses?.[0]?.tools?.[0]?.confirmed).toBe(true);
  }
});

test("a member of a member that waits pauses all of them, and is named itself", async () => {
  const { team: inner, seen } = askingTeam({ id: "inner", name: "Inner" });
  const outer = aTeam({ members: [inner] });
  const task = handOn("inner", handOn("ben", sum));
  const played = await playOut(outer, task);
  const run = paused(outer, played);
  expect(run.output.requirements).toMatchObject([{ member_agent_id: "ben" }]);
  expect(played.events.map(({ event }) => event).filter((event) => event.endsWith("RunPaused"))).toEqual([
    "RunPaused",
    "TeamRunPaused",
    "TeamRunPaused",
  ]);
  const { state } = answer(run, outer, answersTo(run, yes));
  const whole = await playOut(outer, task, { from: state, continues: true });
  expect(whole.outcome.output.content).toBe("3");
  expect(seen).toHaveLength(1);
  const continued = whole.events.filter(({ event }) => event.endsWith("RunContinued"));
  expect(continued.map((event) => ("team_id" in event ? event.team_id : event.agent_id))).toEqual([
    "ben",
    "inner",
    "desk",
  ]);
});

test("a team's own tool is confirmed before anything else of its turn happens", async () => {
  const own = confirming({ name: "own" });
  const { team } = askingTeam({ tools: [own.tool] });
  const run = paused(team, await playOut(team, directive("own", { a: 1, b: 2 })));
  expect(run.output.requirements?.[0]).not.toHaveProperty("member_run_id");
  const { state } = answer(run, team, answersTo(run, yes));
  const { outcome, events } = await playOut(team, "", { from: state, continues: true });
  expect(orderOf(events)[0]).toBe("TeamRunContinued");
  expect(outcome.status).toBe("COMPLETED");
  expect(own.seen).toHaveLength(1);
});
