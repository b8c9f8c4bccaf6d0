import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Member } from "../../shared/engine/define/team.ts";
import type { WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { StepAnswer } from "../../shared/schemas/runs/pause-answers.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { getApproval } from "../../shared/stores/approvals/approval-item.ts";
import { recordResolution } from "../../shared/stores/approvals/end-approvals.ts";
import { accountDesk, assistant, refundDesk } from "../support/registry/agents.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { aWorkflowWorld, type WorkflowWorld } from "./a-workflow-world.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const agentStep = (name: string, executor: Member): WorkflowStep => ({ name, type: "Step", executor });
const say = (name: string, text: string): WorkflowStep => ({ name, type: "Step", executor: () => text });
const refund = (order: string) => `[[tool:issue_refund {"order_id":"${order}","amount":5}]]`;

/** The questions that a run waits with, each answered alike. */
async function answers(world: WorkflowWorld, run: AcceptedRun, confirmed: boolean): Promise<StepAnswer[]> {
  const { step_requirements = [] } = await world.output(run);
  const answered = step_requirements.map((asked) => ({
    ...asked,
    executor_requirements: asked.executor_requirements?.map((one) => ({
      ...one,
      confirmation: confirmed,
      tool_execution: { ...one.tool_execution, confirmed },
    })),
  }));
  return v.parse(v.array(StepAnswer), answered);
}
const eventTypesOf = async (world: WorkflowWorld, run: AcceptedRun) =>
  (await world.events(run.run_id)).map(({ event }) => event);

describe("a step whose agent waits for a person", () => {
  test("pauses the workflow with what the agent asks, and goes on where the agent was", async () => {
    const world = aWorkflowWorld(stores.db, [
      say("order", refund("o-1")),
      agentStep("refund", refundDesk),
      say("after", "thanks"),
    ]);
    const run = await world.submit("please");
    await world.deliver();
    const paused = await world.output(run);
    expect(paused).toMatchObject({ status: "PAUSED", pause_kind: "executor", paused_step_name: "refund" });
    expect(paused.step_requirements).toMatchObject([
      {
        step_id: "refund",
        requires_executor_input: true,
        executor_id: "refund-desk",
        executor_name: "Refund desk",
        executor_type: "agent",
        executor_session_id: run.session_id,
        executor_requirements: [{ tool_execution: { tool_name: "issue_refund", confirmed: null } }],
      },
    ]);
    const before = await eventTypesOf(world, run);
    expect(before.slice(-4)).toEqual([
      "RunPaused",
      "StepExecutorPaused",
      "WorkflowPaused",
      "WorkflowRunOutput",
    ]);

    await world.goOn(run, await answers(world, run, true));
    await world.deliver();
    const ended = await world.output(run);
    expect(ended).toMatchObject({ status: "COMPLETED", content: "thanks" });
    expect(ended.step_executor_runs).toHaveLength(1);
    expect(ended.step_executor_runs?.[0]).toMatchObject({
      status: "COMPLETED",
      parent_run_id: run.run_id,
      tools: [{ tool_name: "issue_refund", confirmed: true, tool_call_error: false }],
      requirements: [{ confirmation: true }],
    });
    const after = (await eventTypesOf(world, run)).slice(before.length);
    expect(after.slice(0, 4)).toEqual([
      "StepExecutorContinued",
      "RunContinued",
      "ToolCallStarted",
      "ToolCallCompleted",
    ]);
    expect(after.filter((event) => event === "StepCompleted")).toHaveLength(2);
  });

  test("beside another one that waits: all that is open is answered at once", async () => {
    const world = aWorkflowWorld(stores.db, [
      { name: "both", type: "Parallel", steps: [agentStep("a", refundDesk), agentStep("b", refundDesk)] },
    ]);
    const run = await world.submit(refund("o-2"));
    await world.deliver();
    const all = await answers(world, run, true);
    expect(all.map(({ step_id }) => step_id)).toEqual(["both/a", "both/b"]);
    await expect(world.goOn(run, all.slice(0, 1))).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("both/b"),
    });
    await world.goOn(run, all);
    await world.deliver();
    const ended = await world.output(run);
    expect(ended.status).toBe("COMPLETED");
    expect(ended.step_executor_runs).toHaveLength(2);
  });

  test("beside one that asks sooner is asked about first, where it stands first in the workflow", async () => {
    const late: WorkflowStep = {
      name: "late",
      type: "Step",
      executor: async ({ previous }) => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return previous;
      },
    };
    const world = aWorkflowWorld(stores.db, [
      {
        name: "both",
        type: "Parallel",
        steps: [
          { name: "a", type: "Steps", steps: [late, agentStep("asks", refundDesk)] },
          agentStep("b", refundDesk),
        ],
      },
    ]);
    const run = await world.submit(refund("o-3"));
    await world.deliver();
    const { step_requirements = [], paused_step_name } = await world.output(run);
    expect(step_requirements.map(({ step_id }) => step_id)).toEqual(["both/a/asks", "both/b"]);
    expect(paused_step_name).toBe("asks");
  });

  test("that needs an approval waits for it, and takes its decision for the answer", async () => {
    const world = aWorkflowWorld(stores.db, [agentStep("close", accountDesk)]);
    const run = await world.submit('[[tool:close_account {"account":"K-7"}]]');
    await world.deliver();
    const paused = await world.output(run);
    const id = paused.step_executor_runs?.[0]?.tools?.[0]?.approval_id ?? "none";
    const approval = await getApproval(stores.db, id);
    expect(approval).toMatchObject({
      status: "pending",
      run_id: run.run_id,
      source_type: "workflow",
      workflow_id: "flow",
      tool_name: "close_account",
      requirements: [{ tool_execution: { tool_name: "close_account" } }],
    });
    await expect(world.goOn(run, await answers(world, run, true))).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    await recordResolution(stores.db, id, {
      status: "approved",
      resolved_by: "boss",
      resolved_at: 1,
      updated_at: 1,
    });
    await world.goOn(run, [{ step_id: "close", executor_requirements: [] }]);
    await world.deliver();
    expect(await world.output(run)).toMatchObject({
      status: "COMPLETED",
      step_executor_runs: [
        { tools: [{ tool_name: "close_account", confirmed: true, tool_call_error: false }] },
      ],
    });
    expect(await getApproval(stores.db, id)).toMatchObject({ run_status: "COMPLETED" });
  });

  test.each(["approved", "rejected"] as const)("and is %s goes on without an answer", async (status) => {
    const world = aWorkflowWorld(stores.db, [agentStep("close", accountDesk)]);
    const run = await world.submit('[[tool:close_account {"account":"K-9"}]]');
    await world.deliver();
    const id = (await world.output(run)).step_executor_runs?.[0]?.tools?.[0]?.approval_id ?? "none";
    await expect(world.goOn(run, [])).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await recordResolution(stores.db, id, { status, resolved_by: "boss", resolved_at: 1, updated_at: 1 });
    await world.goOn(run, []);
    await world.deliver();
    expect(await world.output(run)).toMatchObject({
      status: "COMPLETED",
      step_executor_runs: [{ tools: [{ tool_name: "close_account", confirmed: status === "approved" }] }],
    });
  });

  test("that is answered in part names the field of the answer that is missing", async () => {
    const world = aWorkflowWorld(stores.db, [agentStep("ask", refundDesk)]);
    const run = await world.submit(refund("o-3"));
    await world.deliver();
    const answer = { step_id: "ask", executor_requirements: [] };
    await expect(world.goOn(run, [answer])).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("executor_requirements of ask in step_requirements"),
    });
  });

  test("and whose approval an admin gives in passing goes on at once", async () => {
    const world = aWorkflowWorld(stores.db, [agentStep("close", accountDesk)]);
    const run = await world.submit('[[tool:close_account {"account":"K-8"}]]');
    await world.deliver();
    await world.goOn(run, await answers(world, run, true), true);
    await world.deliver();
    const ended = await world.output(run);
    expect(ended.status).toBe("COMPLETED");
    const id = ended.step_executor_runs?.[0]?.tools?.[0]?.approval_id ?? "none";
    expect(await getApproval(stores.db, id)).toMatchObject({ status: "approved" });
  });

  test("ends with the workflow when that is cancelled, and its approval with it", async () => {
    const world = aWorkflowWorld(stores.db, [
      say("order", '[[tool:close_account {"account":"K-9"}]]'),
      agentStep("close", accountDesk),
    ]);
    const run = await world.submit("x");
    await world.deliver();
    const id = (await world.output(run)).step_executor_runs?.[0]?.tools?.[0]?.approval_id ?? "none";
    await world.cancel(run);
    expect(await world.output(run)).toMatchObject({
      status: "CANCELLED",
      step_results: [{ step_name: "order" }],
    });
    expect(await getApproval(stores.db, id)).toMatchObject({ status: "cancelled", run_status: "CANCELLED" });
  });
});

test("a step's agent is shown what it said in earlier runs of the session, and no other agent's words", async () => {
  const remembering = { ...assistant, add_history_to_context: true };
  const world = aWorkflowWorld(stores.db, [agentStep("answer", remembering), agentStep("again", refundDesk)]);
  const first = await world.submit("first words");
  await world.deliver();
  const next = await world.submit("second words", first.session_id);
  await world.deliver();
  const [answer] = (await world.output(next)).step_executor_runs ?? [];
  const shown = answer?.messages?.filter(({ from_history }) => from_history).map(({ content }) => content);
  expect(shown).toEqual(["first words", "You said: first words"]);
});
