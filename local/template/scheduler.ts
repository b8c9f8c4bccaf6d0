import * as v from "valibot";
import type { Statement } from "../iam/policy.ts";
import { roleStatements } from "../iam/role-statements.ts";
import type { Resource } from "./stack.ts";

export type SchedulerModel = {
  /** Names of the schedule groups. */
  readonly groups: readonly string[];
  /** The statements of a role that the scheduler may assume; undefined for any other role. */
  readonly roleOf: (roleArn: string) => readonly Statement[] | undefined;
};

const Trust = v.object({
  AssumeRolePolicyDocument: v.object({
    Statement: v.array(v.object({ Principal: v.optional(v.object({ Service: v.optional(v.unknown()) })) })),
  }),
});

/** Reads what schedules that are created at run time need: their groups and roles. */
export function schedulerModel(resources: readonly Resource[]): SchedulerModel {
  const groups = resources.filter(({ type }) => type === "AWS::Scheduler::ScheduleGroup");
  return {
    groups: ["default", ...groups.map(({ name }) => name)],
    roleOf: (roleArn) => {
      const role = resources.find(({ type, arn }) => type === "AWS::IAM::Role" && arn === roleArn);
      return role && trustsScheduler(role) ? roleStatements(roleArn, resources) : undefined;
    },
  };
}

function trustsScheduler({ properties }: Resource): boolean {
  const parsed = v.safeParse(Trust, properties);
  if (!parsed.success) return false;
  return parsed.output.AssumeRolePolicyDocument.Statement.some(({ Principal }) =>
    [Principal?.Service].flat().includes("scheduler.amazonaws.com"),
  );
}
