import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { approvalOfPause } from "../../../shared/engine/pause/approval-of.ts";
import type { DailyBudget } from "../../../shared/engine/ports/budget-port.ts";
import { defineTool } from "../../../shared/engine/tool/tool.ts";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { aTool } from "../support/run-agent.ts";
import { aMember, answer, answersTo, aTeam, directive, handOn, paused, playOut } from "./support.ts";

const systemOf = (output: RunOutput | undefined): string =>
  output?.messages?.find(({ role }) => role === "system")?.content ?? "";

const contextOf = (output: RunOutput | undefined): string =>
  output?.messages?.find(({ context }) => context !== undefined)?.context ?? "";

const said = (content: string, role: "user" | "assistant" = "user") => ({
  id: content,
  role,
  content,
  from_history: true,
  stop_after_tool_call: false,
  created_at: 1,
});

describe("what a member receives", () => {
  const both = `${handOn("ann", "first")}${handOn("ben", "second")}`;

  test("of other members in the same run, where its team shares that", async () => {
    const shared = await playOut(aTeam({ share_member_interactions: true }), both);
    const [first, second] = shared.outcome.output.member_responses ?? [];
    expect(contextOf(first)).toBe("");
    expect(contextOf(second)).toContain("ann was asked: first\nYou said: first");
    const kept = await playOut(aTeam(), both);
    expect(contextOf(kept.outcome.output.member_responses?.[1])).toBe("");
  });

  test("of the team's history, where the team passes it on", async () => {
    const asked: number[] = [];
    const readChatHistory = async (runs: number) => {
      asked.push(runs);
      return [said("Hello"), said("Good day", "assistant")];
    };
    const team = aTeam({ add_team_history_to_members: true, num_history_runs: 2 });
    const { outcome } = await playOut(team, handOn("ann", "hi"), { readChatHistory });
    expect(contextOf(outcome.output.member_responses?.[0])).toContain("user: Hello\n\nassistant: Good day");
    expect(asked).toEqual([2]);
  });

  test("of its own earlier runs, where it wants to know", async () => {
    const asked: unknown[] = [];
    const readMemberHistory = async ({ id, num_history_runs }: { id: string; num_history_runs?: number }) => {
      asked.push([id, num_history_runs]);
      return [said("Before")];
    };
    const members = [aMember("ann", { add_history_to_context: true, num_history_runs: 4 }), aMember("ben")];
    const { outcome } = await playOut(aTeam({ members }), both, { readMemberHistory });
    expect(asked).toEqual([["ann", 4]]);
    const [ann, ben] = outcome.output.member_responses ?? [];
    expect(ann?.messages?.[0]).toMatchObject({ content: "Before", from_history: true });
    expect(ben?.messages?.[0]).toMatchObject({ content: "second" });
  });
});

test("a leader is shown who its members are, and may look it up", async () => {
  const members = [aMember("ann", { role: "Adder", description: "Adds.", tools: [aTool().tool] })];
  const team = aTeam({ members, get_member_information_tool: true });
  const { outcome } = await playOut(team, directive("get_member_information"));
  expect(systemOf(outcome.output)).toContain('"role":"Adder"');
  expect(JSON.parse(outcome.output.tools?.[0]?.result ?? "")).toEqual([
    { id: "ann", name: "ANN", role: "Adder", description: "Adds.", tools: ["add"] },
  ]);
});

test("members and leader share the state of the session", async () => {
  const note = defineTool({
    name: "note",
    description: "Note something.",
    parameters: v.object({ key: v.string() }),
    effect: "safe",
    execute: ({ key }, { updateSessionState, session_state }) => {
      updateSessionState({ [key]: true });
      return JSON.stringify(session_state);
    },
  });
  const members = ["ann", "ben"].map((id) => aMember(id, { tools: [note] }));
  const script = `${handOn("ann", directive("note", { key: "a" }))}${handOn("ben", directive("note", { key: "b" }))}`;
  const { outcome } = await playOut(aTeam({ members }), script, { request: { session_state: { given: 1 } } });
  expect(outcome.output.session_state).toEqual({ given: 1, a: true, b: true });
  expect(outcome.output.member_responses?.[1]?.content).toBe('{"given":1,"a":true}');
});

describe("what a team spends", () => {
  test("is counted once: its own sums are its leader's, each member's run has its own", async () => {
    const { outcome, events } = await playOut(aTeam(), handOn("ann", "one two three"));
    const [member] = outcome.output.member_responses ?? [];
    const asked = events.flatMap((event) => ("total_tokens" in event ? [event] : []));
    const of = (run_id: string | undefined) =>
      asked
        .filter((event) => event.run_id === run_id)
        .reduce((sum, { total_tokens }) => sum + total_tokens, 0);
    expect(outcome.output.metrics?.total_tokens).toBe(of("run-1"));
    expect(member?.metrics?.total_tokens).toBe(of(member?.run_id));
    expect(of(member?.run_id)).toBeGreaterThan(0);
  });

  test("counts against the user's day under names that no two runs share", async () => {
    const held: string[] = [];
    const dailyBudget: DailyBudget = {
      reserve: async (call) => {
        held.push(call);
        return { granted: true, settle: async () => undefined };
      },
    };
    await playOut(aTeam({ mode: "broadcast" }), "hello", { dailyBudget });
    expect(held).toHaveLength(3);
    expect(new Set(held).size).toBe(3);
  });

  test("is compared with the team's own limit with what its members have spent", async () => {
    const team = aTeam({ max_tokens_per_run: 9_000, max_output_tokens: 100 });
    const free = await playOut(team, handOn("ann", "hi"));
    expect(free.outcome.status).toBe("COMPLETED");
    const { outcome } = await playOut(team, handOn("ann", "[[tokens:9000]]"));
    expect(outcome).toMatchObject({ status: "PAUSED" });
    expect(outcome.output.tools?.at(-1)).toMatchObject({
      tool_name: "budget",
      tool_args: { limit: "max_tokens_per_run", allowed: 9_000 },
    });
  });

  test("pauses a member at its own limit, and continues when it is raised", async () => {
    const members = [aMember("ann", { max_tokens_per_run: 1, max_output_tokens: 50 })];
    const team = aTeam({ members });
    const played = await playOut(team, handOn("ann", "hi"));
    const run = paused(team, played);
    expect(run.output.requirements).toMatchObject([
      { member_agent_id: "ann", tool_execution: { tool_name: "budget", approval_type: "required" } },
    ]);
    const raise = answersTo(run, { confirmation: true });
    expect(() => answer(run, team, raise)).toThrow(expect.objectContaining({ code: "CONFLICT" }));
    if (played.outcome.status !== "PAUSED") throw new Error("it waits");
    const pending = approvalOfPause(run, played.outcome, 0, 0);
    if (!pending) throw new Error("it needs an approval");
    const { state } = answer(run, team, raise, [{ ...pending, status: "approved" }]);
    const { outcome } = await playOut(team, "", { from: state, continues: true });
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "You said: hi" });
  });
});
