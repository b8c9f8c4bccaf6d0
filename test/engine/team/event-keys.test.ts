import { describe, expect, test } from "vitest";
import { RunStopped } from "../../../shared/engine/run/next-step.ts";
import { eventFields, fieldsOf } from "../support/event-fields.ts";
import { aTool } from "../support/run-agent.ts";
import { aMember, aTeam, directive, handOn, playOut } from "./support.ts";

/** What tasks add. @source docs/interface/runs.md 5.4 */
const ofTasks: Readonly<Record<string, string>> = {
  TeamTaskIterationStarted: "iteration max_iterations",
  TeamTaskIterationCompleted: "iteration max_iterations task_summary",
  TeamTaskStateUpdated: "task_summary goal_complete tasks completion_summary?",
  TeamTaskCreated: "task_id title description assignee status dependencies",
  TeamTaskUpdated: "task_id title status previous_status result assignee",
};

/** Clients of teams know no such events. */
const ofAgentsAlone = /^Comp(?:ression|action)/;
const twins = Object.keys(eventFields)
  .filter((type) => !ofAgentsAlone.test(type))
  .map((type) => `Team${type}`);

function teamFieldsOf(type: string) {
  const agentType = type.replace(/^Team/, "");
  const { required, allowed } = fieldsOf(agentType in eventFields ? agentType : "RunContentCompleted");
  const extra = (ofTasks[type] ?? "").split(" ").filter((name) => name !== "");
  const ofTeam = (names: readonly string[]) =>
    names.map((name) => name.replace(/^agent_/, "team_")).filter((name) => name !== "workflow_agent");
  const isEnd = type === "TeamRunCompleted";
  return {
    required: [
      ...ofTeam(required),
      ...extra.filter((name) => !name.endsWith("?")),
      ...(isEnd ? ["member_responses"] : []),
    ],
    allowed: [...ofTeam(allowed), ...extra.map((name) => name.replace("?", "")), "member_responses"],
  };
}

const allow = { name: "allow", check: () => undefined };
const failing = aTool({ name: "fail", execute: () => Promise.reject(new Error("no")) }).tool;
const asking = aTool({ name: "ask", requires_confirmation: true }).tool;
const team = aTeam({
  tools: [failing, asking],
  additional_input: [{ role: "user", content: "First." }],
  update_memory_on_run: true,
  enable_session_summaries: true,
  followups: true,
  pre_hooks: [allow],
  post_hooks: [allow],
});
const inner = aTeam({ id: "inner", name: "Inner", members: [aMember("ann")] });
const tasks = aTeam({ mode: "tasks" });
const stop = AbortSignal.abort(new RunStopped("cancelled", "Enough."));

const played = await Promise.all([
  playOut(team, handOn("ann", "hi"), { request: { metadata: { a: 1 } } }),
  playOut(aTeam({ members: [inner] }), handOn("inner", handOn("ann", "hi"))),
  playOut(team, directive("fail", { a: 1, b: 2 })),
  playOut(team, directive("ask", { a: 1, b: 2 })),
  playOut(team, "[[fail:boom]]"),
  playOut(team, "hi", { signal: stop }),
  playOut(
    tasks,
    [
      directive("create_task", { title: "one", assignee: "ann" }),
      directive("run_tasks"),
      directive("complete_goal", { summary: "Done." }),
    ].join(""),
  ),
]);
const events = played.flatMap((run) => run.events).filter((event) => "team_id" in event);

describe.each([...twins, ...Object.keys(ofTasks)])("%s", (type) => {
  const matching = events.filter(({ event }) => event === type);

  test("has exactly the fields of the wire", () => {
    expect(matching.length).toBeGreaterThan(0);
    const { required, allowed } = teamFieldsOf(type);
    for (const event of matching) {
      const keys = Object.keys(event);
      expect(required.filter((name) => !keys.includes(name))).toEqual([]);
      expect(keys.filter((name) => !allowed.includes(name))).toEqual([]);
    }
  });
});

test("no event of another type is emitted", () => {
  const known = new Set([...twins, ...Object.keys(ofTasks)]);
  expect(events.map(({ event }) => event).filter((event) => !known.has(event))).toEqual([]);
});
