import { describe, expect, test } from "vitest";
import { pollsOfHour } from "../../bench/cost/idle.ts";
import { billedMs, type Time, undisturbed } from "../../bench/cost/on-lambda.ts";
import { standingAfterFree, standingOf, standingPrice } from "../../bench/cost/standing.ts";
import { nothing, priceOf, sumOf, times, totalOf } from "../../bench/cost/usage.ts";

describe("the price of what was used", () => {
  test("is each service's units by its list price", () => {
    const used = sumOf({
      edgeRequests: 1e6,
      apiRequests: 1e6,
      invocations: 1e6,
      gigabyteSeconds: 1000,
      writeUnits: 1e6,
      readUnits: 2e6,
      sqsRequests: 1e6,
      sqsMessages: 1e6,
      objectWrites: 1000,
      objectReads: 10_000,
      schedulerInvocations: 1e6,
      logBytes: 2 ** 30,
    });
    const rounded = Object.entries(priceOf(used)).map(([part, dollars]) => [part, dollars.toFixed(4)]);
    expect(Object.fromEntries(rounded)).toEqual({
      edge: "2.0000",
      functions: "0.2133",
      database: "0.8750",
      queues: "0.5000",
      objects: "0.0090",
      scheduler: "1.0000",
      logs: "0.5000",
    });
  });

  test("of nothing is nothing, and of twice as much is twice that", () => {
    expect(totalOf(priceOf(nothing))).toBe(0);
    const once = sumOf({ writeUnits: 14 }, { writeUnits: 3, invocations: 2 });
    expect(totalOf(priceOf(times(once, 2)))).toBeCloseTo(2 * totalOf(priceOf(once)), 12);
  });
});

describe("time on Lambda", () => {
  test("is what was computed by the share of a processor, and what was waited as it was", () => {
    expect(billedMs({ ms: 100, cpuMs: 10 }, 1769)).toBe(100);
    expect(billedMs({ ms: 100, cpuMs: 10 }, 884.5)).toBe(110);
  });

  test("is not shortened by more memory than one processor's", () => {
    expect(billedMs({ ms: 100, cpuMs: 10 }, 3538)).toBe(100);
  });

  test("does not count what other programs took", () => {
    const took = (ms: number): Time => ({ hereMs: ms, cpuMs: ms, gigabyteSeconds: ms });
    expect(undisturbed([90, 11, 10, 12, 500, 13, 14, 15].map(took)).hereMs).toBe(11);
  });
});

describe("what is paid for without calls", () => {
  const alarm = (Properties: Record<string, unknown>) => ({ Type: "AWS::CloudWatch::Alarm", Properties });
  const standing = standingOf([
    {
      template: {
        Resources: {
          Plain: alarm({ MetricName: "Errors" }),
          Highest: alarm({
            Metrics: [{ Expression: "MAX(METRICS())" }, { MetricStat: {} }, { MetricStat: {} }],
          }),
          Shared: { Type: "AWS::SecretsManager::Secret" },
          Look: { Type: "AWS::CloudWatch::Dashboard" },
          Polled: { Type: "AWS::Lambda::EventSourceMapping" },
          Unused: { Type: "AWS::Lambda::EventSourceMapping", Properties: { Enabled: false } },
        },
      },
    },
  ]);

  test("are alarms by the metrics that they look at, dashboards, and queues that are polled", () => {
    expect(standing).toEqual({ alarms: 2, alarmMetrics: 3, dashboards: 1, secrets: 1, queuesPolled: 1 });
    expect(standingPrice(standing, 730).alarms).toBeCloseTo(0.3, 12);
    expect(standingPrice(standing, 730).dashboards).toBe(3);
  });

  test("is what the free allowances leave of it", () => {
    expect(standingAfterFree({ ...standing, secrets: 0 })).toBe(0);
    const more = { alarms: 20, alarmMetrics: 23, dashboards: 4, secrets: 1, queuesPolled: 7 };
    expect(standingAfterFree(more)).toBeCloseTo(4.7, 12);
  });

  test("are five pollers at each queue, which ask every twenty seconds", () => {
    expect(pollsOfHour(2)).toBe(1800);
  });
});
