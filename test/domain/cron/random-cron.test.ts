import { Cron as Croner } from "croner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cronProblem } from "../../../shared/domain/cron/cron-problem.ts";
import { eventBridgeExpressions } from "../../../shared/domain/cron/eventbridge-expressions.ts";
import { nextRun } from "../../../shared/domain/cron/next-run.ts";
import { parseCron } from "../../../shared/domain/cron/parse-cron.ts";
import { eventBridgeNext } from "./eventbridge-next.ts";
import { randomCron } from "./random-cron.ts";

/** The oracle writes "last Friday" in another way. */
const inItsWords = (text: string): string => text.replaceAll(/L([0-7])/g, "$1#L");

const at = (seconds: number) => new Date(seconds * 1000);

test("10,000 random expressions fire when another reader of cron says so, and so do the scheduler's expressions", () => {
  const start = fc.integer({ min: 1_600_000_000, max: 2_000_000_000 });
  let compared = 0;
  fc.assert(
    fc.property(randomCron, start, (text, after) => {
      const parsed = parseCron(text);
      if (!parsed.ok) throw new Error(`${text}: ${parsed.fault}`);
      if (cronProblem(text) !== undefined) return;
      const oracle = new Croner(inItsWords(text), { mode: "5-part", timezone: "UTC", paused: true });
      const expected = oracle.nextRun(at(after));
      const expressions = eventBridgeExpressions(parsed.cron);
      expect(at(nextRun(parsed.cron, "UTC", after) ?? 0), text).toEqual(expected);
      expect(at(eventBridgeNext(expressions, "UTC", after) ?? 0), text).toEqual(expected);
      for (const expression of expressions) expect(expression.length).toBeLessThanOrEqual(256);
      compared += 1;
    }),
    { numRuns: 10_000, seed: 7 },
  );
  expect(compared).toBeGreaterThan(9_000);
}, 60_000);
