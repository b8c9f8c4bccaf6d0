import * as v from "valibot";
import { isAllowed } from "../iam/policy.ts";
import { roleStatements } from "../iam/role-statements.ts";
import { StartupError } from "../startup-error.ts";
import { type FunctionModel, functionNamed } from "./functions.ts";
import type { Resource } from "./stack.ts";

export type ScheduleModel = {
  readonly function: FunctionModel;
  readonly everyMs: number;
  /** JSON text that the function receives. */
  readonly input: string;
};

const Schedule = v.object({
  ScheduleExpression: v.string(),
  State: v.optional(v.string(), "ENABLED"),
  Target: v.object({ Arn: v.string(), RoleArn: v.string(), Input: v.optional(v.string(), "{}") }),
});

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * The template's own timers.
 *
 * @throws StartupError when a timer's role may not invoke its function, or its expression is not a `rate(…)`
 */
export function scheduleModels(
  resources: readonly Resource[],
  functions: readonly FunctionModel[],
): ScheduleModel[] {
  return resources.flatMap(({ type, id, properties }) => {
    if (type !== "AWS::Scheduler::Schedule") return [];
    const { ScheduleExpression, State, Target } = v.parse(Schedule, properties);
    const [, count, unit = ""] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(ScheduleExpression) ?? [];
    const everyMs = Number(count) * (unitMs[unit] ?? Number.NaN);
    if (Number.isNaN(everyMs))
      throw new StartupError(`${id}: ${ScheduleExpression} is not supported locally.`);
    const permission = { action: "lambda:InvokeFunction", resource: Target.Arn };
    if (!isAllowed(roleStatements(Target.RoleArn, resources), permission)) {
      throw new StartupError(`${id}: its role may not invoke ${Target.Arn}.`);
    }
    if (State !== "ENABLED") return [];
    return [{ function: functionNamed(functions, Target.Arn), everyMs, input: Target.Input }];
  });
}
