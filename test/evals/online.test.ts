import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { write } from "../../shared/data/write.ts";
import { isSampled } from "../../shared/domain/evals/is-sampled.ts";
import { onlineEvalOf } from "../../shared/engine/lifecycle/end-run.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { newRunId } from "../../shared/runtime/ids.ts";
import type { OnlineEvaluation } from "../../shared/schemas/evals/online-evaluation.ts";
import { putOnlineEval } from "../../shared/stores/evals/create-eval.ts";
import { purgeTrial } from "../../shared/stores/evals/purge-eval.ts";
import { removeRun } from "../../shared/stores/runs/remove-run.ts";
import { runItem } from "../../shared/stores/runs/run-item.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { type EvalWorld, evalWorld } from "../support/eval-world.ts";
import { putItems } from "../support/put-items.ts";
import { aJob, aRunOf } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const DAY_MS = 86_400_000;
const judge = (passed: boolean) => `[[answer:{"passed":${passed},"reason":"the secret reason"}]]`;
const settings = (more: Partial<OnlineEvaluation> = {}): OnlineEvaluation => ({
  sample_ratio: 1,
  criteria: judge(true),
  scoring_strategy: "binary",
  threshold: 7,
  ...more,
});

/** A run that has ended, with its evaluation as its end writes it. */
async function ended(world: EvalWorld, more: Partial<OnlineEvaluation> = {}) {
  const made = aRunOf(aJob({ id: newRunId(), component_id: "assistant" }), { status: "COMPLETED" });
  const output = { ...made.output, status: "COMPLETED" as const, content: "the secret answer" };
  const run = { ...made, output: { ...output, input: { input_content: "the secret question" } } };
  const outcome = { status: "COMPLETED" as const, output: run.output, online_evaluation: settings(more) };
  const record = onlineEvalOf(run, outcome, epochSeconds(world.clock));
  if (!record) throw new Error("it is not sampled");
  await putItems(world.db, "runs", [runItem(run)]);
  await write(world.db, putOnlineEval(record));
  return { id: record.id, run };
}

describe("the share of runs that is judged", () => {
  const ids = Array.from({ length: 20_000 }, newRunId);
  test.each([0, 0.01, 0.1, 0.5, 1])("is %d of them", (ratio) => {
    const share = ids.filter((id) => isSampled(id, ratio)).length / ids.length;
    expect(Math.abs(share - ratio)).toBeLessThan(0.015);
  });

  test("is the same runs, whoever asks, and a larger share has all of a smaller one", () => {
    const [small, large] = [0.1, 0.2].map((ratio) => ids.filter((id) => isSampled(id, ratio)));
    expect(ids.filter((id) => isSampled(id, 0.1))).toEqual(small);
    expect(small?.filter((id) => !large?.includes(id))).toEqual([]);
  });
});

describe("a run that is judged after its end", () => {
  test("has no message: the sweeper finds it at once, and the worker judges what was said", async () => {
    const world = evalWorld(stores.db);
    const { id, run } = await ended(world);
    expect(world.sent).toEqual([]);
    await world.sweep();
    expect(world.sent).toContain(id);
    await world.deliver(id);
    expect(await world.state(id)).toMatchObject({
      status: "completed",
      totals: { pass_rate: 100 },
      online: { run_id: run.run_id },
      judge_calls: 1,
      judge_model: { id: "scripted-1", provider: "Scripted" },
      eval_data: {
        results: [
          { input: "the secret question", output: "the secret answer", passed: true, criteria: judge(true) },
        ],
      },
    });
    const [trial] = await world.trials(id);
    // The run itself is paid and counted already.
    expect(trial?.metrics).toEqual(trial?.judge);
  });

  test("is judged and counted once, wherever a worker dies", async () => {
    for (let write = 1; ; write += 1) {
      const world = evalWorld(stores.db);
      world.advance(DAY_MS * write);
      const { id } = await ended(world, { daily_evaluations: 1 });
      const process = breakingDb(stores.db, write, "after");
      const hasEnded = await world.deliver(id, { db: process.db }).then(
        () => true,
        () => false,
      );
      world.advance(61_000);
      await world.deliver(id);
      expect(await world.state(id)).toMatchObject({ status: "completed", judge_calls: 1 });
      if (hasEnded) break;
    }
  });

  test("waits for no budget: over it, the evaluation ends and says so", async () => {
    const world = evalWorld(stores.db);
    world.advance(DAY_MS * 100);
    const budget = { daily_evaluations: 2 };
    const all = [await ended(world, budget), await ended(world, budget), await ended(world, budget)];
    for (const { id } of all) await world.deliver(id);
    const states = await Promise.all(all.map(({ id }) => world.state(id)));
    expect(states.map((one) => one?.status)).toEqual(["completed", "completed", "failed"]);
    expect(states[2]?.error).toContain("What may be spent in a day");
    world.advance(DAY_MS);
    const { id } = await ended(world, budget);
    await world.deliver(id);
    expect(await world.state(id)).toMatchObject({ status: "completed" });
  });

  test("loses what was said with its session, and keeps the verdict", async () => {
    const world = evalWorld(stores.db);
    const { id, run } = await ended(world);
    await world.deliver(id);
    await purgeTrial(world.db, { id, number: 0 }, run.owner);
    const left = JSON.stringify([await world.state(id), await world.trials(id)]);
    expect(left).not.toContain("secret question");
    expect(left).not.toContain("secret answer");
    expect((await world.state(id))?.eval_data).toMatchObject({ results: [{ reason: "", passed: true }] });
  });

  test("ends without a verdict where the run is gone before it is judged", async () => {
    const world = evalWorld(stores.db);
    const { id, run } = await ended(world);
    await removeRun(world.db, run);
    await world.deliver(id);
    expect(await world.state(id)).toMatchObject({ status: "failed", error: expect.stringContaining("gone") });
  });

  test("loses it too where the session is deleted while the judge is asked", async () => {
    const world = evalWorld(stores.db);
    const { id, run } = await ended(world);
    let removal: Promise<unknown> | undefined;
    world.onAsked(() => {
      removal ??= purgeTrial(world.db, { id, number: 0 }, run.owner).then(() => removeRun(world.db, run));
    });
    const slow = {
      ...world.models,
      resolve: async (spec: string | undefined) => {
        const resolved = await world.models.resolve(spec);
        const doStream: typeof resolved.model.doStream = async (options) => {
          const answer = await resolved.model.doStream(options);
          await removal;
          return answer;
        };
        return { ...resolved, model: { ...resolved.model, doStream } };
      },
    };
    await world.deliver(id, { models: slow });
    world.advance(61_000);
    await world.deliver(id);
    const left = JSON.stringify([await world.state(id), await world.trials(id)]);
    expect(left).not.toContain("the secret answer");
    expect(left).not.toContain("the secret question");
    expect(await world.state(id)).toMatchObject({ status: "failed", error: expect.stringContaining("gone") });
  });
});
