import { answered, runsOf, toolCall } from "../run-requests.ts";
import type { Fields, Scenario, Stage } from "../stage.ts";

const delegate = (member_id: string, task: string): string =>
  toolCall("delegate_task_to_member", { member_id, task });
const refund = toolCall("issue_refund", { order_id: "o-1", amount: 5 });

/** A stored team of two declared agents. */
async function storedTeam(stage: Stage, config: Fields): Promise<string> {
  const component_id = `${stage.name}-team`;
  const members = ["assistant", "refund-desk"].map((agent_id) => ({ type: "agent", agent_id }));
  const whole = { members, ...config };
  const json = { name: "Crew", component_type: "team", component_id, stage: "published", config: whole };
  await stage.send("POST", "/components", { json }, "admin");
  return `teams/${component_id}`;
}

/** The leader delegates a task to a member; another member waits for a person. */
const coordinating: Scenario = async (stage) => {
  const runs = runsOf(stage, "teams/support-team");
  await runs.stream(delegate("assistant", "what is it"));
  await runs.wait(delegate("unknown", "x"));
  const paused = await runs.queue(delegate("refund-desk", refund));
  await stage.recordStored();
  const confirmed = (paused.requirements ?? []).map((one) => ({
    ...one,
    confirmation: true,
    tool_execution: { ...(one.tool_execution as Fields), confirmed: true },
  }));
  await runs.continueQueued(paused, { requirements: answered(confirmed, {}) });
  await runs.recordRun(paused);
};

const routing: Scenario = async (stage) => {
  const runs = runsOf(stage, await storedTeam(stage, { mode: "route" }));
  await runs.stream(delegate("assistant", "over to you"));
  await runs.recordRun(await runs.queue(delegate("assistant", "over to you")));
};

const broadcasting: Scenario = async (stage) => {
  const runs = runsOf(stage, await storedTeam(stage, { mode: "broadcast" }));
  await runs.stream("what do you say");
  await runs.recordRun(await runs.queue("and now?"));
};

/** A list of tasks, of which one depends on another. */
const tasks: Scenario = async (stage) => {
  const runs = runsOf(stage, await storedTeam(stage, { mode: "tasks" }));
  const script = [
    toolCall("create_task", { title: "outline", assignee: "assistant" }),
    toolCall("create_task", {
      title: "draft",
      assignee: "refund-desk",
      dependencies: ["task-1"],
      description: "Write it.",
    }),
    toolCall("run_tasks", {}),
    toolCall("run_tasks", {}),
    toolCall("complete_goal", { summary: "All done." }),
  ].join("");
  await runs.stream(script);
  await runs.recordRun(await runs.queue(script));
};

export const teamScenarios = { coordinating, routing, broadcasting, tasks };
