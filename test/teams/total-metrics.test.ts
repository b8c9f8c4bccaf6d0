import { describe, expect } from "vitest";
import { usageOf } from "../../functions/runs/openai/chat-end.ts";
import { factsIn } from "../../shared/a2a/task-of.ts";
import { metricsWithin, totalMetrics, wholeSum } from "../../shared/engine/run/metrics.ts";
import type { RunMetrics, RunOutput } from "../../shared/schemas/runs/run.ts";
import type { ListedRun } from "../../shared/schemas/runs/run-list.ts";
import type { WorkflowRunOutput } from "../../shared/schemas/runs/workflow-run.ts";
import { type Client, clientOf } from "../support/client.ts";
import { aJob, aRunOf } from "../support/records.ts";
import { test } from "../support/shared-platform.ts";

let maria: Client;
test.beforeAll(({ platform }) => {
  const scopes = [
    "teams:read",
    "teams:run",
    "workflows:read",
    "workflows:run",
    "agents:read",
    "sessions:read",
  ];
  maria = clientOf(platform.url, platform.token("total-maria", scopes));
});

const listed = async (session_id: string): Promise<ListedRun | undefined> => {
  const runs: ListedRun[] = (await maria.get("/runs?limit=50")).json.data;
  return runs.find((run) => run.session_id === session_id);
};
const tokens = (metrics: readonly (RunMetrics | undefined)[]): number =>
  metrics.reduce((sum, one) => sum + (one?.total_tokens ?? 0), 0);

describe("what a run used with all runs within it", () => {
  test("is beside a leader's own in a team's run, and what the list of runs shows", async () => {
    const task = { member_id: "assistant", task: "one two three four five six" };
    const form = { message: `[[tool:delegate_task_to_member ${JSON.stringify(task)}]]`, stream: "false" };
    const run: RunOutput = (await maria.post("/teams/support-team/runs", { form })).json;
    const path = `/teams/support-team/runs/${run.run_id}?session_id=${run.session_id}`;
    const read: RunOutput = (await maria.get(path)).json;
    const { metrics, total_metrics, member_responses = [] } = read;
    expect(member_responses).toHaveLength(1);
    const all = tokens(metricsWithin(read));
    expect(all).toBeGreaterThan(metrics?.total_tokens ?? 0);
    expect(total_metrics).toMatchObject({ total_tokens: all, duration: metrics?.duration });
    expect(run.total_metrics).toEqual(total_metrics);
    expect(await listed(run.session_id)).toMatchObject({ total_tokens: all });
    expect((await maria.get(`/sessions/${run.session_id}`)).json.total_tokens).toBe(all);
  });

  test("is in a workflow's run in the same form", async () => {
    const form = { message: "lighthouses", stream: "false" };
    const run: WorkflowRunOutput = (await maria.post("/workflows/publish-report/runs", { form })).json;
    const used = tokens((run.step_executor_runs ?? []).flatMap(metricsWithin));
    expect(used).toBeGreaterThan(0);
    expect(run.total_metrics).toMatchObject({ total_tokens: used });
    expect(run.total_metrics).not.toHaveProperty("steps");
    expect(await listed(run.session_id)).toMatchObject({ total_tokens: used });
  });

  test("is what clients of other protocols are shown", () => {
    const job = aRunOf(aJob({}), {});
    const metrics = { input_tokens: 1, total_tokens: 1 };
    const total_metrics = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
    const run = { ...job, status: "COMPLETED" as const, output: { ...job.output, metrics, total_metrics } };
    expect(usageOf(run)).toMatchObject({ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 });
    expect(factsIn({ run, task: undefined })).toMatchObject({ metrics: { totalTokens: 7 } });
  });

  test("costs what its parts cost, and nothing is said where one part's price is unknown", () => {
    const part = (cost?: number, total_tokens = 10): RunOutput => ({
      ...{ run_id: "r", session_id: "s", input: { input_content: "" }, created_at: 0, status: "COMPLETED" },
      metrics: { input_tokens: total_tokens, total_tokens, ...(cost !== undefined && { cost }) },
    });
    const team = (members: RunOutput[]) => totalMetrics({ ...part(0.0058), member_responses: members });
    const deep = { ...part(0.01), member_responses: [part(0.0068)] };
    expect(team([part(0.01), deep])?.cost).toBeCloseTo(0.0326, 10);
    expect(team([part(), deep])).not.toHaveProperty("cost");
    expect(team([part(undefined, 0)])?.cost).toBe(0.0058);
    // As a workflow adds up its steps.
    expect(wholeSum([{ total_tokens: 5 }, { total_tokens: 6, cost: 0.01 }])).not.toHaveProperty("cost");
  });
});
