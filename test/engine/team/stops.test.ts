import { expect, test } from "vitest";
import { RunStopped } from "../../../shared/engine/run/next-step.ts";
import { stateFromRun } from "../../../shared/engine/run/state-from-run.ts";
import { aTool } from "../support/run-agent.ts";
import { aMember, aTeam, directive, handOn, orderOf, play, playOut } from "./support.ts";

const hang = directive("hang", { a: 1, b: 2 });

/** A member with a tool that stops the run in the middle of its work, and never answers. */
function stopping(kind: "cancelled" | "timeout") {
  const stop = new AbortController();
  const { tool } = aTool({
    name: "hang",
    execute: () => {
      stop.abort(new RunStopped(kind, "Enough."));
      return new Promise(() => {});
    },
  });
  return { member: aMember("ann", { tools: [tool] }), signal: stop.signal };
}

test("a team that is cancelled cancels its member first, and both say so", async () => {
  const { member, signal } = stopping("cancelled");
  const team = aTeam({ members: [member, aMember("ben")] });
  const { outcome, events } = await playOut(team, handOn("ann", hang), { signal });
  expect(orderOf(events).slice(-5)).toEqual([
    "ann ToolCallStarted",
    "ann RunCancelled",
    "ann RunCompleted",
    "TeamRunCancelled",
    "TeamRunCompleted",
  ]);
  expect(outcome.output).toMatchObject({
    status: "CANCELLED",
    content: "Enough.",
    member_responses: [{ agent_id: "ann", status: "CANCELLED", parent_run_id: "run-1" }],
  });
});

test("a member that runs beside the one that is stopped ends with it", async () => {
  const { member, signal } = stopping("cancelled");
  const waits = aMember("ben", {
    tools: [aTool({ name: "hang", execute: () => new Promise(() => {}) }).tool],
  });
  const team = aTeam({ members: [member, waits], mode: "broadcast" });
  const { outcome } = await playOut(team, hang, { signal });
  expect(outcome.output.member_responses?.map(({ status }) => status)).toEqual(["CANCELLED", "CANCELLED"]);
});

test("a member that waited for a person when its team was cancelled ends with it", async () => {
  const { member, signal } = stopping("cancelled");
  const asks = aMember("ben", { tools: [aTool({ name: "hang", requires_confirmation: true }).tool] });
  const team = aTeam({ members: [asks, member], mode: "broadcast" });
  const { outcome } = await playOut(team, hang, { signal });
  expect(outcome).toMatchObject({ status: "CANCELLED" });
  expect(outcome.output.member_responses?.map(({ status }) => status)).toEqual(["CANCELLED", "CANCELLED"]);
});

test("a member whose run was handed off ends cancelled when the next slice finds the team cancelled", async () => {
  let steps = 0;
  const team = aTeam();
  const first = await play(team, handOn("ann", "[[tokens:2]]"), { shouldYield: () => ++steps >= 2 });
  if (first.outcome.status !== "YIELDED") throw new Error("it was asked to yield");
  const signal = AbortSignal.abort(new RunStopped("cancelled", "Enough."));
  const { outcome, events } = await playOut(team, "", { from: first.outcome.state, signal });
  expect(outcome.output.member_responses).toMatchObject([{ agent_id: "ann", status: "CANCELLED" }]);
  expect(orderOf(events)).toEqual([
    "ann RunCancelled",
    "ann RunCompleted",
    "TeamRunCancelled",
    "TeamRunCompleted",
  ]);
});

test("a timeout within a member's run fails the team as a timeout", async () => {
  const { member, signal } = stopping("timeout");
  const { outcome } = await playOut(aTeam({ members: [member] }), handOn("ann", hang), { signal });
  expect(outcome).toMatchObject({ status: "ERROR", cause: "timeout" });
  expect(outcome.output.member_responses).toMatchObject([{ status: "ERROR" }]);
});

test("a team that timed out is resumed within its member's run", async () => {
  const { member, signal } = stopping("timeout");
  const { outcome } = await playOut(aTeam({ members: [member] }), handOn("ann", hang), { signal });
  const { output } = outcome;
  const quick = aMember("ann", { tools: [aTool({ name: "hang" }).tool] });
  const from = stateFromRun(output, output.tools ?? [], 0);
  const again = await playOut(aTeam({ members: [quick] }), "", { from, continues: true });
  expect(orderOf(again.events).slice(0, 2)).toEqual(["TeamRunContinued", "ann ToolCallStarted"]);
  expect(again.outcome.output).toMatchObject({
    status: "COMPLETED",
    content: "3",
    member_responses: [{ run_id: output.member_responses?.[0]?.run_id, status: "COMPLETED" }],
  });
});

test("a lost lock within a member's run is reported to no one", async () => {
  const stop = new AbortController();
  const { tool } = aTool({
    name: "hang",
    execute: () => {
      stop.abort(new RunStopped("lost", "another worker's"));
      return new Promise(() => {});
    },
  });
  const team = aTeam({ members: [aMember("ann", { tools: [tool] })] });
  const playing = playOut(team, handOn("ann", hang), { signal: stop.signal });
  await expect(playing).rejects.toMatchObject({ kind: "lost" });
});
