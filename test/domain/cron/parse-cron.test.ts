import { describe, expect, test } from "vitest";
import { cronProblem } from "../../../shared/domain/cron/cron-problem.ts";
import { eventBridgeExpressions } from "../../../shared/domain/cron/eventbridge-expressions.ts";
import { nextRunAt } from "../../../shared/domain/cron/next-run-at.ts";
import { parseCron } from "../../../shared/domain/cron/parse-cron.ts";

/** A Thursday. */
const after = Date.parse("2026-01-15T10:30:00Z") / 1000;

const inTheScheduler = (text: string): string[] => {
  const parsed = parseCron(text);
  if (!parsed.ok) throw new Error(parsed.fault);
  return eventBridgeExpressions(parsed.cron);
};

describe("an expression that is taken", () => {
  test.each<[text: string, next: string, ...expressions: string[]]>([
    ["* * * * *", "2026-01-15T10:31", "cron(* * * * ? *)"],
    ["30 10 * * *", "2026-01-16T10:30", "cron(30 10 * * ? *)"],
    ["  0   9 \t * * 1-5 ", "2026-01-16T09:00", "cron(0 9 ? * MON,TUE,WED,THU,FRI *)"],
    ["0 9 * * mon-FRI", "2026-01-16T09:00", "cron(0 9 ? * MON,TUE,WED,THU,FRI *)"],
    ["0 0 * * 0", "2026-01-18T00:00", "cron(0 0 ? * SUN *)"],
    ["0 0 * * 7", "2026-01-18T00:00", "cron(0 0 ? * SUN *)"],
    ["0 0 * * 5-7", "2026-01-16T00:00", "cron(0 0 ? * SUN,FRI,SAT *)"],
    ["0 0 * * SAT-MON", "2026-01-17T00:00", "cron(0 0 ? * SUN,MON,SAT *)"],
    ["*/7 * * * *", "2026-01-15T10:35", "cron(0,7,14,21,28,35,42,49,56 * * * ? *)"],
    ["*/90 * * * *", "2026-01-15T11:00", "cron(0 * * * ? *)"],
    ["10-30/30 * * * *", "2026-01-15T11:10", "cron(10 * * * ? *)"],
    ["0 22-4/2 * * *", "2026-01-15T22:00", "cron(0 0,2,4,22 * * ? *)"],
    ["50-10 * * * *", "2026-01-15T10:50", "cron(0-10,50-59 * * * ? *)"],
    ["0 0 1,15 jan-mar *", "2026-02-01T00:00", "cron(0 0 1,15 1-3 ? *)"],
    ["0 0 1 NOV-feb *", "2026-02-01T00:00", "cron(0 0 1 1,2,11,12 ? *)"],
    ["0 0 ? * ?", "2026-01-16T00:00", "cron(0 0 * * ? *)"],
    ["0 0 ? * 5", "2026-01-16T00:00", "cron(0 0 ? * FRI *)"],
    ["0 0 L * *", "2026-01-31T00:00", "cron(0 0 L * ? *)"],
    ["0 0 l,20 * *", "2026-01-20T00:00", "cron(0 0 20 * ? *)", "cron(0 0 L * ? *)"],
    ["0 0 * * 5#2", "2026-02-13T00:00", "cron(0 0 ? * 6#2 *)"],
    ["0 0 * * fri#3", "2026-01-16T00:00", "cron(0 0 ? * 6#3 *)"],
    ["0 0 * * 7#1", "2026-02-01T00:00", "cron(0 0 ? * 1#1 *)"],
    ["0 0 * * L5", "2026-01-30T00:00", "cron(0 0 ? * 6L *)"],
    ["0 0 29 2 *", "2028-02-29T00:00", "cron(0 0 29 2 ? *)"],
    ["0 0 13 * 5", "2026-01-16T00:00", "cron(0 0 13 * ? *)", "cron(0 0 ? * FRI *)"],
    ["0 0 */10 * 6", "2026-01-17T00:00", "cron(0 0 1,11,21,31 * ? *)", "cron(0 0 ? * SAT *)"],
    ["@hourly", "2026-01-15T11:00", "cron(0 * * * ? *)"],
    ["@Daily", "2026-01-16T00:00", "cron(0 0 * * ? *)"],
    ["@midnight", "2026-01-16T00:00", "cron(0 0 * * ? *)"],
    ["@weekly", "2026-01-18T00:00", "cron(0 0 ? * SUN *)"],
    ["@MONTHLY", "2026-02-01T00:00", "cron(0 0 1 * ? *)"],
    ["@yearly", "2027-01-01T00:00", "cron(0 0 1 1 ? *)"],
    ["@annually", "2027-01-01T00:00", "cron(0 0 1 1 ? *)"],
  ])("%s fires next at %s", (cron_expr, next, ...expressions) => {
    expect(cronProblem(cron_expr)).toBeUndefined();
    const at = nextRunAt({ cron_expr, timezone: "UTC" }, after) ?? 0;
    expect(new Date(at * 1000).toISOString().slice(0, 16)).toBe(next);
    expect(inTheScheduler(cron_expr)).toEqual(expressions);
  });
});

describe("an expression that is refused", () => {
  test.each([
    ["__proto__", "it must have five fields"],
    ["constructor", "it must have five fields"],
    ["", "five fields"],
    ["* * * *", "five fields"],
    ["0 * * * * *", "five fields"],
    ["0 0 * * * * 2027", "five fields"],
    ["@reboot", "five fields"],
    ["@every 5m", "five fields"],
    ["60 * * * *", "minute 60 is not between 0 and 59"],
    ["* 24 * * *", "hour 24"],
    ["* * 0 * *", "day of month 0"],
    ["* * 32 * *", "day of month 32"],
    ["* * * 0 *", "month 0"],
    ["* * * 13 *", "month 13"],
    ["* * * * 8", "day of week 8"],
    ["*/0 * * * *", "a step must be"],
    ["5/15 * * * *", "a step needs a range"],
    ["1-5/x * * * *", "a step must be"],
    ["1--5 * * * *", '"1--5" is no minute'],
    ["1,,2 * * * *", "a value of minute is missing"],
    ["-1 * * * *", "a value of minute is missing"],
    ["1.5 * * * *", '"1.5" is no minute'],
    ["? * * * *", '"?" is no minute'],
    ["* * 15W * *", '"15w" is no day of month'],
    ["* * LW * *", '"lw" is no day of month'],
    ["H * * * *", '"h" is no minute'],
    ["* * * * 5#6", "from 1 to 5"],
    ["* * * * 5#0", "from 1 to 5"],
    ["* * * * #2", "a value of day of week is missing"],
    ["* * * * L", '"l" is no day of week'],
    ["* * * monday *", '"monday" is no month'],
    ["0 0 31 2 *", "no date matches"],
    ["0 0 30 2 *", "no date matches"],
    ["0 0 31 4,6,9,11 *", "no date matches"],
    ["0 0 1,L * 1,2#1,3#2,4#3,5#4", "more than 6"],
  ])("%s, because of: %s", (text, reason) => {
    const problem = cronProblem(text);
    expect(problem).toContain(`"${text}"`);
    expect(problem).toContain(reason);
  });
});
