import { Cron as Croner } from "croner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cronProblem } from "../../../../shared/domain/cron/cron-problem.ts";
import { eventBridgeExpressions } from "../../../../shared/domain/cron/eventbridge-expressions.ts";
import { nextRun } from "../../../../shared/domain/cron/next-run.ts";
import { parseCron } from "../../../../shared/domain/cron/parse-cron.ts";
import { eventBridgeNext } from "../../../domain/cron/eventbridge-next.ts";
import { randomCron } from "../../../domain/cron/random-cron.ts";

/** The oracle writes "last Friday" in another way. */
const inItsWords = (text: string): string => text.replaceAll(/L([0-7])/g, "$1#L");

/** @source EventBridge Scheduler API reference */
const MAX_EXPRESSION_LENGTH = 256;

const at = (seconds: number) => new Date(seconds * 1000);

test("10,000 random expressions fire when another reader of cron says so, and so do the scheduler's expressions", () => {
  const start = fc.integer({ min: 1_600_000_000, max: 2_000_000_000 });
  let compared = 0;
  fc.assert(
    fc.property(randomCron, start, (text, after) => {
      const parsed = parseCron(text);
      if (!parsed.ok) throw new Error(`${text}: ${parsed.fault}`);
      if (cronProblem(text) !== undefined) return true;
      const oracle = new Croner(inItsWords(text), { mode: "5-part", timezone: "UTC", paused: true });
      const expected = (oracle.nextRun(at(after))?.getTime() ?? 0) / 1000;
      const expressions = eventBridgeExpressions(parsed.cron);
      compared += 1;
      // Compared without expect(), which takes longer than the reading.
      return (
        nextRun(parsed.cron, "UTC", after) === expected &&
        eventBridgeNext(expressions, "UTC", after) === expected &&
        expressions.every((expression) => expression.length <= MAX_EXPRESSION_LENGTH)
      );
    }),
    { numRuns: 10_000, seed: 7 },
  );
  expect(compared).toBeGreaterThan(9_000);
}, 300_000);
