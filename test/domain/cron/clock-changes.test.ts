import { describe, expect, test } from "vitest";
import { readExpression } from "../../../local/scheduler/next-fire.ts";
import { eventBridgeExpressions } from "../../../shared/domain/cron/eventbridge-expressions.ts";
import { nextRun } from "../../../shared/domain/cron/next-run.ts";
import { timingOf } from "../../../shared/domain/cron/timing-of.ts";

/** The instants from `from` on, as the product foretells them. */
function foretold(cron_expr: string, timezone: string, from: string, count: number): string[] {
  const { cron, zone } = timingOf({ cron_expr, timezone });
  const instants: string[] = [];
  for (let at = Date.parse(from) / 1000; instants.length < count; ) {
    const next = nextRun(cron, zone, at);
    if (next === undefined) break;
    at = next;
    instants.push(new Date(at * 1000).toISOString().slice(0, 16));
  }
  return instants;
}

/** The same as the local scheduler plays them, which reads the expressions that it is given. */
function played(cron_expr: string, timezone: string, from: string, count: number): string[] {
  const { cron, zone } = timingOf({ cron_expr, timezone });
  const [expression = ""] = eventBridgeExpressions(cron);
  const next = readExpression(expression, zone, 0);
  const instants: string[] = [];
  for (let at = next(Date.parse(from)); at !== undefined && instants.length < count; at = next(at)) {
    instants.push(new Date(at).toISOString().slice(0, 16));
  }
  return instants;
}

/**
 * By hand, in UTC. New York goes forward on 8 March 2026 at 02:00 and back on 1 November at 02:00, London on 29 March
 * at 01:00 and 25 October at 02:00, Lord Howe by half an hour on 4 October at 02:00 and back on 5 April at 02:00.
 */
const golden: readonly [what: string, cron: string, zone: string, from: string, instants: string[]][] = [
  [
    "New York skips a time that does not exist",
    "30 2 * * *",
    "America/New_York",
    "2026-03-07T00:00Z",
    ["2026-03-07T07:30", "2026-03-09T06:30", "2026-03-10T06:30"],
  ],
  [
    "New York fires once at a time that comes twice, the first time",
    "30 1 * * *",
    "America/New_York",
    "2026-10-31T00:00Z",
    ["2026-10-31T05:30", "2026-11-01T05:30", "2026-11-02T06:30"],
  ],
  [
    "New York fires once in each hour on the clock",
    "0 * * * *",
    "America/New_York",
    "2026-11-01T03:30Z",
    ["2026-11-01T04:00", "2026-11-01T05:00", "2026-11-01T07:00", "2026-11-01T08:00"],
  ],
  [
    "New York leaves the hour out that is skipped",
    "0 * * * *",
    "America/New_York",
    "2026-03-08T05:30Z",
    ["2026-03-08T06:00", "2026-03-08T07:00", "2026-03-08T08:00"],
  ],
  [
    "London skips a time that does not exist",
    "15 1 * * *",
    "Europe/London",
    "2026-03-28T00:00Z",
    ["2026-03-28T01:15", "2026-03-30T00:15"],
  ],
  [
    "London fires once at a time that comes twice",
    "15 1 * * *",
    "Europe/London",
    "2026-10-24T00:00Z",
    ["2026-10-24T00:15", "2026-10-25T00:15", "2026-10-26T01:15"],
  ],
  [
    "Lord Howe skips half an hour",
    "15 2 * * *",
    "Australia/Lord_Howe",
    "2026-10-02T00:00Z",
    ["2026-10-02T15:45", "2026-10-04T15:15"],
  ],
  [
    "Lord Howe fires after the half hour that it skips",
    "45 2 * * *",
    "Australia/Lord_Howe",
    "2026-10-02T00:00Z",
    ["2026-10-02T16:15", "2026-10-03T15:45", "2026-10-04T15:45"],
  ],
  [
    "Lord Howe fires once in the half hour that comes twice",
    "45 1 * * *",
    "Australia/Lord_Howe",
    "2026-04-03T00:00Z",
    ["2026-04-03T14:45", "2026-04-04T14:45", "2026-04-05T15:15"],
  ],
];

describe.each(golden)("%s", (_, cron, zone, from, instants) => {
  test("as it is foretold", () => {
    expect(foretold(cron, zone, from, instants.length)).toEqual(instants);
  });

  test("as the scheduler plays it", () => {
    expect(played(cron, zone, from, instants.length)).toEqual(instants);
  });
});

test("the next time lies after the present one, also in the second turn of a repeated hour", () => {
  const { cron, zone } = timingOf({ cron_expr: "30 1 * * *", timezone: "America/New_York" });
  const secondTurn = Date.parse("2026-11-01T06:30:00Z") / 1000;
  expect(nextRun(cron, zone, secondTurn)).toBe(Date.parse("2026-11-02T06:30:00Z") / 1000);
  expect(nextRun(cron, zone, secondTurn - 3600 - 1)).toBe(secondTurn - 3600);
});
