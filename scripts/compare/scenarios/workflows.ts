import { answered, runsOf } from "../run-requests.ts";
import type { Fields, Scenario, Stage } from "../stage.ts";

const report = "workflows/publish-report";

async function storedWorkflow(stage: Stage, id: string, steps: readonly Fields[]): Promise<string> {
  const component_id = `${stage.name}-${id}`;
  const json = { name: id, component_type: "workflow", component_id, stage: "published", config: { steps } };
  await stage.send("POST", "/components", { json }, "admin");
  return component_id;
}

/** Steps in sequence, in parallel and by condition, and a confirmation before the last one. */
const reviewed: Scenario = async (stage) => {
  const runs = runsOf(stage, report);
  const waiting = await runs.wait("lighthouses");
  const streamed = await runs.stream("lighthouses");
  const queued = await runs.queue(`lighthouses ${"and their keepers ".repeat(6)}`);
  await stage.recordStored();
  const consent = (confirmed: boolean, requirements: readonly Fields[] | undefined) => ({
    step_requirements: answered(requirements, { confirmed }),
  });
  await runs.continueRun(waiting, consent(true, waiting.step_requirements));
  await runs.continueStreamed(streamed, consent(false, streamed.step_requirements));
  await runs.continueQueued(queued, consent(true, queued.step_requirements));
  await runs.recordRun(queued);
};

const outline = (name: string, more: Fields = {}): Fields => ({
  type: "Step",
  name,
  executor_ref: "outline",
  ...more,
});
const assistant = (name: string): Fields => ({ type: "Step", name, agent_id: "assistant" });

/** Every type of step, and a workflow within the workflow. */
const everyStep: Scenario = async (stage) => {
  const inner = await storedWorkflow(stage, "inner", [outline("first"), assistant("second")]);
  const outer = await storedWorkflow(stage, "outer", [
    assistant("write"),
    { type: "Steps", name: "group", steps: [outline("one"), outline("two")] },
    { type: "Parallel", name: "drafts", steps: [assistant("short"), outline("long")] },
    {
      type: "Condition",
      name: "long?",
      evaluator: "is_long",
      evaluator_type: "function",
      steps: [assistant("shorten")],
      else_steps: [outline("keep")],
    },
    { type: "Condition", name: "never", evaluator: false, steps: [outline("skipped")] },
    { type: "Loop", name: "again", max_iterations: 2, steps: [outline("more")] },
    { type: "Step", name: "nested", workflow_id: inner },
    { type: "Step", name: "team", team_id: "support-team" },
  ]);
  const runs = runsOf(stage, `workflows/${outer}`);
  await runs.stream("hello");
  await runs.recordRun(await runs.queue("hello"));
  await stage.send("GET", `/workflows/${outer}`);
};

/** A person selects a branch and reviews the output of a step; a step that fails is skipped. */
const chosen: Scenario = async (stage) => {
  const id = await storedWorkflow(stage, "choice", [
    {
      type: "Router",
      name: "way",
      user_input_message: "Which way?",
      choices: [outline("left"), outline("right")],
    },
    outline("checked", {
      human_review: { requires_output_review: true, output_review_message: "Good?", on_reject: "retry" },
    }),
    { ...assistant("fails"), human_review: { on_error: "skip" } },
  ]);
  const runs = runsOf(stage, `workflows/${id}`);
  const atRouter = await runs.queue("[[fail:boom]]");
  const selected = {
    step_requirements: answered(atRouter.step_requirements, { selected_choices: ["right"] }),
  };
  const atReview = await runs.continueQueued(atRouter, selected);
  const approved = { step_requirements: answered(atReview.step_requirements, { confirmed: true }) };
  await runs.recordRun(await runs.continueQueued(atReview, approved));
};

export const workflowScenarios = { reviewed, everyStep, chosen };
