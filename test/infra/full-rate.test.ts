import { expect, test } from "vitest";
import { cloudModel } from "../../local/template/cloud-model.ts";
import { type TableLayout, tables } from "../../shared/stores/tables.ts";
import { synthesized } from "./synthesized.ts";

/** A deployment that takes its full rate from the start. */
const app = await synthesized({
  stage: "prod",
  warmWrites: "20000",
  worker_concurrency: "10405",
  queuePollers: "20",
});
const sources = app.ofType("AWS::Lambda::EventSourceMapping").map(({ properties }) => properties);

test("tables that every run writes take the rate of warmWrites at once, with their indexes; no other is paid for", async () => {
  for (const [name, layout] of Object.entries<TableLayout>(tables)) {
    const found = app
      .ofType("AWS::DynamoDB::GlobalTable")
      .find(({ id }) => id.toLowerCase().replace(/[0-9a-f]{8}$/, "") === name.replaceAll("_", ""));
    const { WarmThroughput, GlobalSecondaryIndexes = [] } = found?.properties ?? {};
    const isWritten = ["jobs", "runs", "sessions"].includes(name);
    const expected = isWritten ? { WriteUnitsPerSecond: 20_000, ReadUnitsPerSecond: 60_000 } : undefined;
    expect(WarmThroughput, name).toEqual(expected);
    expect(GlobalSecondaryIndexes).toHaveLength(Object.keys(layout.indexes).length);
    for (const index of GlobalSecondaryIndexes)
      expect(index.WarmThroughput, index.IndexName).toEqual(expected);
  }
  await expect(synthesized({ stage: "prod", warmWrites: "3999" })).rejects.toThrow("warmWrites");
});

test("the queue of runs has queuePollers that always read it, and at most those that call worker_concurrency functions", () => {
  const [runs, ...others] = sources.filter((source) => source.ProvisionedPollerConfig !== undefined);
  expect(others).toEqual([]);
  expect(runs?.EventSourceArn).toMatch(/^<RunQueue/);
  expect(runs?.ProvisionedPollerConfig).toEqual({ MinimumPollers: 20, MaximumPollers: 1_040 });
  // AWS takes one of the two.
  expect(runs?.ScalingConfig).toBeUndefined();
  const deadLetters = sources.find(({ EventSourceArn }) => EventSourceArn.startsWith("<DeadLetters"));
  expect(deadLetters?.ScalingConfig).toEqual({ MaximumConcurrency: 10 });
});

test("the synthesis counts what the pollers call in what it says to ask the account for", () => {
  const limits = sources.map(({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? 0);
  const most = limits.reduce((sum, limit) => sum + limit, 10_400);
  expect(app.infos.join()).toContain(`queues may take ${most} invocations at a time`);
});

test("on one machine as many functions are called as the pollers would call", () => {
  const { eventSources } = cloudModel(app.stacks, "http://127.0.0.1:1");
  const runs = eventSources.filter(({ queueName }) => queueName.includes("RunQueue"));
  expect(runs.map(({ maximumConcurrency }) => maximumConcurrency)).toEqual([10_400]);
});
