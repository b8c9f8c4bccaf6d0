import { eventBridgeExpressions } from "./eventbridge-expressions.ts";
import { nextRun } from "./next-run.ts";
import { parseCron } from "./parse-cron.ts";

/** A schedule with so many separate day rules is several schedules. */
const MAX_EXPRESSIONS = 6;

/**
 * Why a cron expression cannot be used; undefined when it can.
 *
 * @source docs/interface/schedules.md 3.1, 3.2
 */
export function cronProblem(text: string): string | undefined {
  const problem = problemOf(text);
  return problem === undefined ? undefined : `cron_expr "${text}" is not valid: ${problem}`;
}

function problemOf(text: string): string | undefined {
  const parsed = parseCron(text);
  if (!parsed.ok) return parsed.fault;
  if (nextRun(parsed.cron, "UTC", 0) === undefined) return "no date matches it";
  if (eventBridgeExpressions(parsed.cron).length > MAX_EXPRESSIONS) {
    return `more than ${MAX_EXPRESSIONS} separate day rules; make several schedules`;
  }
  return undefined;
}
