import { describe, expect } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { test } from "../support/shared-platform.ts";

let maria: Client;
test.beforeAll(async ({ platform }) => {
  const token = platform.token("maria of failures", ["evals:read", "evals:write", "agents:run"]);
  maria = clientOf(platform.url, token);
});

const judged = (verdict: object) => `[[answer:${JSON.stringify(verdict)}]]`;
const create = async (more: object) =>
  (await maria.post("/eval-runs", { json: { agent_id: "assistant", ...more } })).json;
const casesOf = async (id: string) => (await maria.get(`/eval-runs/${id}/cases`)).json.data;

describe("each case has a status, and says why it failed", () => {
  test("where a run of it failed, or its judge", async () => {
    const { id, status, error } = await create({
      eval_type: "agent_as_judge",
      criteria: judged({ passed: true, reason: "fine" }),
      cases: [
        { input: "hello" },
        { input: "[[fail:the model is down]]" },
        { input: "hello", criteria: "[[fail:no judge today]]" },
        { input: "hello", criteria: judged({ passed: false, reason: "rude" }) },
      ],
    });
    expect([status, error]).toEqual(["failed", expect.stringContaining("1 of 4 runs failed")]);
    expect(await casesOf(id)).toMatchObject([
      { status: "completed", error: null, passed: true },
      { status: "failed", error: expect.stringContaining("the model is down"), passed: false },
      { status: "failed", error: expect.stringContaining("The judge failed: no judge today"), passed: false },
      { status: "completed", error: null, passed: false },
    ]);
  });

  test("and nothing passes on a failed run, whatever the judge says of its error", async () => {
    const { eval_data } = await create({
      eval_type: "agent_as_judge",
      input: "[[fail:the model is down]]",
      criteria: judged({ passed: true, reason: "a fine error" }),
    });
    expect(eval_data).toMatchObject({ pass_rate: 0, results: [{ passed: false }] });
  });

  test("where the judge gives no verdict that can be used", async () => {
    const { status, error } = await create({
      eval_type: "accuracy",
      input: "hello",
      expected_output: judged({ score: 11, reason: "!" }),
    });
    expect(status).toBe("failed");
    expect(error).toContain("The judge gave no usable verdict");
    expect(error).toContain("must be a whole number from 1 to 10");
  });
});

test("times have four percentiles, and are no whole milliseconds", async () => {
  const { eval_data } = await create({
    eval_type: "performance",
    input: "hello",
    num_iterations: 3,
    warmup_runs: 1,
  });
  const { runs, result } = eval_data;
  expect(runs).toHaveLength(3);
  expect(result.p50_run_time).toBe(result.median_run_time);
  expect(result.p90_run_time).toBeLessThanOrEqual(result.p95_run_time);
  expect(result.p95_run_time).toBeLessThanOrEqual(result.p99_run_time);
  expect(result.p99_run_time).toBeLessThanOrEqual(result.max_run_time);
  const millis = runs.map(({ runtime }: { runtime: number }) => runtime * 1000);
  expect(millis.some((ms: number) => Math.abs(ms - Math.round(ms)) > 0.0005)).toBe(true);
});

describe("a comparison", () => {
  const score = (n: number) => judged({ score: n, reason: "so" });
  const accuracy = (scores: Readonly<Record<string, number | string>>) =>
    create({
      eval_type: "accuracy",
      cases: Object.entries(scores).map(([name, given]) => ({
        name,
        input: typeof given === "number" ? `asks ${name}` : given,
        expected_output: score(typeof given === "number" ? given : 5),
      })),
    });
  const compare = (...ids: string[]) => maria.get(`/eval-runs/compare?ids=${ids.join(",")}`);

  test("says of each case what became of it, and how the figures differ", async () => {
    const first = await accuracy({ up: 4, down: 8, same: 5, broken: 9, gone: 7 });
    const second = await accuracy({ up: 6, down: 7, same: 5, broken: "[[fail:down]]", added: 3 });
    const { status, json } = await compare(first.id, second.id);
    expect(status).toBe(200);
    const changes = json.cases.map((one: { name: string; change: string }) => [one.name, one.change]);
    expect(Object.fromEntries(changes)).toEqual({
      up: "better",
      down: "worse",
      same: "same",
      broken: "worse",
      gone: "only_in_first",
      added: "only_in_second",
    });
    expect(json.counts).toEqual({
      better: 1,
      worse: 2,
      same: 1,
      only_in_first: 1,
      only_in_second: 1,
      unfinished: 0,
    });
    expect(json.first).toMatchObject({ id: first.id, status: "completed", score: 6.6 });
    expect(json.second).toMatchObject({ status: "failed", error: expect.stringContaining("down") });
    expect(json.differences.total_tokens).toBe(second.metrics.total_tokens - first.metrics.total_tokens);
    expect(json.differences.score).toBeCloseTo(json.second.score - 6.6, 9);
  });

  test("is refused of two types, of one id, and of what one may not see", async ({ platform }) => {
    const one = await accuracy({ a: 5 });
    const other = await create({ eval_type: "performance", input: "hello" });
    expect((await compare(one.id, other.id)).status).toBe(400);
    expect((await compare(one.id)).status).toBe(422);
    expect((await compare(one.id, "unknown")).status).toBe(404);
    const otto = clientOf(platform.url, platform.token("otto of failures", ["evals:read"]));
    expect((await otto.get(`/eval-runs/compare?ids=${one.id},${one.id}`)).status).toBe(404);
  });
});
