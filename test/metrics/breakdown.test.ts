import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { breakdownOf } from "../../shared/domain/metrics/breakdown.ts";
import { type Group, largestGroups, noGroupSums } from "../../shared/domain/metrics/day-groups.ts";
import {
  addHistograms,
  type Histogram,
  oneValue,
  percentile,
} from "../../shared/domain/metrics/log-buckets.ts";
import { utcDay } from "../../shared/domain/utc-day.ts";
import type { ToolExecution } from "../../shared/schemas/runs/run.ts";
import { evalItem } from "../../shared/stores/evals/eval-item.ts";
import { giveFeedback } from "../../shared/stores/feedback/index.ts";
import { listBreakdowns } from "../../shared/stores/metrics/index.ts";
import { runItem, spillRun } from "../../shared/stores/runs/run-item.ts";
import { sessionItem } from "../../shared/stores/sessions/session-item.ts";
import { anOnlineEval, type JudgeEnded } from "../support/online-eval.ts";
import { putItems } from "../support/put-items.ts";
import { aJob, aRunOf, aSession, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { everybody, metricsWorld } from "./metrics-world.ts";

describe("percentiles of log buckets", () => {
  test.each([1, 7, 40, 333])("are within 8 %% of those of %i values", (count) => {
    // From a millisecond to fourteen minutes, in no order.
    const values = Array.from({ length: count }, (_, i) => 0.001 * Math.exp(((i * 7919) % 1000) * 0.01363));
    const histogram = values.map(oneValue).reduce<Histogram>(addHistograms, {});
    const ordered = values.toSorted((a, b) => a - b);
    for (const part of [0.5, 0.9, 0.95, 0.99, 1]) {
      const exact = ordered[Math.max(1, Math.ceil(part * count)) - 1] ?? 0;
      const off = Math.abs((percentile(histogram, part) ?? 0) / exact - 1);
      expect(off).toBeLessThanOrEqual(0.08);
    }
  });

  test("of nothing there is none; what is longer than the longest is in the last", () => {
    expect(percentile({}, 0.5)).toBeUndefined();
    expect(percentile(oneValue(1e9), 0.5)).toBeGreaterThan(800);
    expect(percentile(oneValue(0), 0.5)).toBeLessThan(0.002);
  });
});

const aGroup = (name: string, runs: number): Group => ({ ...noGroupSums, by: "tool", key: [name], runs });

test("a day keeps the 200 largest of a kind, and the others together, whatever the parts it comes in", () => {
  const all = Array.from({ length: 450 }, (_, i) => aGroup(`tool-${i}`, i + 1));
  const [first, second] = [all.slice(0, 300), all.slice(300)];
  const kept = largestGroups(largestGroups([], first), second);
  expect(kept).toEqual(largestGroups([], all));
  expect(kept).toHaveLength(201);
  expect(kept.reduce((sum, { runs }) => sum + runs, 0)).toBe((450 * 451) / 2);
  expect(breakdownOf([{ day: "2026-11-27", groups: kept }], "tool")[0]).toMatchObject({ others: true });
});

describe("the breakdown of a day", () => {
  let stores: TestStores;
  beforeAll(async () => {
    stores = await startStores();
  });
  afterAll(() => stores.stop());

  const aCall = (tool_name: string, duration: number, tool_call_error = false) =>
    ({ tool_name, tool_call_error, metrics: { start_time: 0, end_time: 0, duration } }) as ToolExecution;

  async function keep(owner: string, i: number): Promise<void> {
    const session = aSession({ session_id: `${owner}-${i}`, user_id: owner, created_at: T0 });
    const component_id = i % 2 === 0 ? "desk" : "clerk";
    const job = aJob({ session_id: session.session_id, owner, user_id: owner, component_id, created_at: T0 });
    const run = aRunOf(job, { status: i % 5 === 0 ? "ERROR" : "COMPLETED", component_version: (i % 3) + 1 });
    const metrics = {
      input_tokens: 100,
      output_tokens: i,
      cache_read_tokens: 25,
      cost: 0.01,
      duration: i + 1,
    };
    // A call that waited for a person: what is counted is its execution.
    const tools = [aCall("slow", 10), ...(i % 2 === 0 ? [aCall("quick", 0.1, i % 4 === 0)] : [])];
    const output = { ...run.output, model: "m-1", model_provider: "Acme", metrics, tools };
    await putItems(stores.db, "sessions", [sessionItem(session)]);
    await putItems(stores.db, "runs", [runItem(await spillRun(stores.db, { ...run, output }))]);
  }

  test("equals a recount by version, component, model, tool, user and day, and its user's own alone", async () => {
    for (let i = 0; i < 20; i += 1) await keep(i < 15 ? "ann" : "ben", i);
    const world = metricsWorld(stores.db, T0 + 60);
    await world.refresh();
    const day = utcDay(T0);
    const rows = async (by: Parameters<typeof breakdownOf>[1], scope = everybody) =>
      breakdownOf(await listBreakdowns(stores.db, scope, { from: day, to: day }), by);
    const numbers = Array.from({ length: 20 }, (_, i) => i);

    const versions = await rows("version");
    expect(versions).toHaveLength(6);
    for (const row of versions) {
      const parity = "component_id" in row && row.component_id === "desk" ? 0 : 1;
      const own = numbers.filter((i) => i % 2 === parity && "version" in row && (i % 3) + 1 === row.version);
      expect(row).toMatchObject({
        component_type: "agent",
        runs: own.length,
        errors: own.filter((i) => i % 5 === 0).length,
        input_tokens: 100 * own.length,
        output_tokens: own.reduce((sum, i) => sum + i, 0),
        cache_hit_rate: 0.25,
        cost_per_run: 0.01,
        tool_calls: own.length * (2 - parity),
      });
    }
    const components = await rows("component");
    expect(components).toMatchObject([
      { component_id: "desk", runs: 10, errors: 2, tool_calls: 20, tool_errors: 5, cost: 0.1 },
      { component_id: "clerk", runs: 10, errors: 2, tool_calls: 10, tool_errors: 0, cost: 0.1 },
    ]);
    expect(await rows("model")).toMatchObject([{ model_provider: "Acme", model_id: "m-1", runs: 20 }]);
    const tools = await rows("tool");
    expect(tools).toMatchObject([
      { tool: "slow", runs: 20, tool_calls: 20, tool_errors: 0 },
      { tool: "quick", runs: 10, tool_calls: 10, tool_errors: 5 },
    ]);
    expect(Math.abs((tools[0]?.p95 ?? 0) / 10 - 1)).toBeLessThanOrEqual(0.08);
    expect(Math.abs((tools[1]?.p99 ?? 0) / 0.1 - 1)).toBeLessThanOrEqual(0.08);
    expect(await rows("user")).toMatchObject([
      { user_id: "ann", runs: 15 },
      { user_id: "ben", runs: 5 },
    ]);
    const [whole] = await rows("day");
    expect(whole).toMatchObject({ day, runs: 20, errors: 4 });
    expect(Math.abs((whole?.p50 ?? 0) / 10 - 1)).toBeLessThanOrEqual(0.08);

    const own = { user_id: "ben" };
    await world.refresh(own);
    expect(await rows("user", own)).toMatchObject([{ user_id: "ben", runs: 5 }]);
    expect(await rows("tool", own)).toMatchObject([
      { tool: "slow", runs: 5 },
      { tool: "quick", runs: 2 },
    ]);
  });

  /** How a run of the next day was judged: by people, and by the judge of its component. */
  type Judged = { readonly thumbs: readonly (0 | 1)[]; readonly judge?: JudgeEnded };

  const later = T0 + 86_400;
  const judgmentOf = (i: number): Judged => ({
    thumbs: i % 4 === 0 ? [1, 0] : i % 3 === 0 ? [1] : [],
    ...(i % 5 === 0 && { judge: "passed" as const }),
    ...(i % 5 === 1 && { judge: "not passed" as const }),
    ...(i % 5 === 2 && { judge: "failed" as const }),
  });

  async function keepJudged(owner: string, i: number): Promise<void> {
    const session = aSession({ session_id: `judged-${i}`, user_id: owner, created_at: later });
    const job = aJob({ session_id: session.session_id, owner, user_id: owner, created_at: later });
    const run = aRunOf(job, { status: "COMPLETED", component_version: (i % 2) + 1 });
    const tools = i % 2 === 0 ? [aCall("look", 1), aCall("look", 2)] : [];
    const output = { ...run.output, model: "m-1", model_provider: "Acme", tools };
    await putItems(stores.db, "sessions", [sessionItem(session)]);
    await putItems(stores.db, "runs", [runItem(await spillRun(stores.db, { ...run, output }))]);
    const { thumbs, judge } = judgmentOf(i);
    const of = { run_id: run.run_id, session_id: session.session_id, user_id: owner };
    const from = { component_type: "agent", component_id: "assistant", source: "api", role: "user" } as const;
    for (const [n, score] of thumbs.entries())
      await giveFeedback(
        stores.db,
        session,
        { ...of, ...from, key: "thumb", score, author: `a-${n}` },
        later,
      );
    if (i === 0)
      await giveFeedback(
        stores.db,
        session,
        { ...of, ...from, key: "rating", score: 4, author: owner },
        later,
      );
    if (judge) await putItems(stores.db, "evals", [evalItem(anOnlineEval(of, judge, later))]);
  }

  test("thumbs and passes equal a recount, in all groups of their run; users see what is of theirs", async () => {
    for (let i = 0; i < 24; i += 1) await keepJudged(i < 16 ? "cleo" : "dan", i);
    const world = metricsWorld(stores.db, later + 60);
    const day = utcDay(later);
    const rows = async (by: Parameters<typeof breakdownOf>[1], scope = everybody) =>
      breakdownOf(await listBreakdowns(stores.db, scope, { from: day, to: day }), by);
    const recount = (numbers: readonly number[]) => {
      const all = numbers.map(judgmentOf);
      const thumbs = all.flatMap((one) => one.thumbs);
      const judged = all.filter(({ judge }) => judge === "passed" || judge === "not passed");
      return {
        runs: numbers.length,
        thumbs: {
          up: thumbs.filter((one) => one === 1).length,
          down: thumbs.filter((one) => one === 0).length,
        },
        judged: judged.length,
        pass_rate: judged.filter(({ judge }) => judge === "passed").length / judged.length,
      };
    };
    const numbers = Array.from({ length: 24 }, (_, i) => i);
    const some = (wanted: (i: number) => boolean) => recount(numbers.filter(wanted));

    const days = await world.refresh();
    expect(await rows("component")).toMatchObject([some(() => true)]);
    expect(await rows("model")).toMatchObject([some(() => true)]);
    expect(await rows("version")).toMatchObject([some((i) => i % 2 === 0), some((i) => i % 2 === 1)]);
    expect(await rows("user")).toMatchObject([
      { user_id: "cleo", ...some((i) => i < 16) },
      { user_id: "dan", ...some((i) => i >= 16) },
    ]);
    // A run that calls a tool twice was judged once.
    expect(await rows("tool")).toMatchObject([{ tool: "look", tool_calls: 24, ...some((i) => i % 2 === 0) }]);
    const { up, down } = some(() => true).thumbs;
    expect(days.find((one) => one.day === day)?.feedback_metrics).toEqual([
      { key: "thumb", count: up + down, sum: up },
      { key: "rating", count: 1, sum: 4 },
    ]);

    const own = { user_id: "dan" };
    const [theirs] = (await world.refresh(own)).filter((one) => one.day === day);
    expect(await rows("user", own)).toMatchObject([{ user_id: "dan", ...some((i) => i >= 16) }]);
    expect(theirs?.feedback_metrics).toMatchObject([{ key: "thumb" }]);
  });

  test("a group that an earlier release has counted has no thumbs, and no share that passed", () => {
    const [row] = breakdownOf([{ day: "2026-11-27", groups: [aGroup("old", 3)] }], "tool");
    expect(row).toMatchObject({ runs: 3, thumbs: { up: 0, down: 0 }, judged: 0 });
    expect(row).not.toHaveProperty("pass_rate");
  });
});
