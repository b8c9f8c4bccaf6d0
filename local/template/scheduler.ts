import * as v from "valibot";
import type { Statement } from "../iam/policy.ts";
import { roleStatements } from "../iam/role-statements.ts";
import type { Resource } from "./stack.ts";

export type SchedulerModel = {
  /** Names of the schedule groups. */
  readonly groups: readonly string[];
  /** What a role allows that the scheduler may take on; undefined for one that it may not. */
  readonly roleOf: (roleArn: string) => readonly Statement[] | undefined;
};

const Trust = v.object({
  AssumeRolePolicyDocument: v.object({
    Statement: v.array(v.object({ Principal: v.optional(v.object({ Service: v.optional(v.unknown()) })) })),
  }),
});

/** What the template says of schedules that are made at run time. */
export function schedulerModel(resources: readonly Resource[]): SchedulerModel {
  const groups = resources.filter(({ type }) => type === "AWS::Scheduler::ScheduleGroup");
  return {
    groups: ["default", ...groups.map(({ name }) => name)],
    roleOf: (roleArn) => {
      const role = resources.find(({ type, arn }) => type === "AWS::IAM::Role" && arn === roleArn);
      return role && isTrusting(role) ? roleStatements(roleArn, resources) : undefined;
    },
  };
}

function isTrusting({ properties }: Resource): boolean {
  const parsed = v.safeParse(Trust, properties);
  if (!parsed.success) return false;
  return parsed.output.AssumeRolePolicyDocument.Statement.some(({ Principal }) =>
    [Principal?.Service].flat().includes("scheduler.amazonaws.com"),
  );
}
