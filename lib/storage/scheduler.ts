import { Duration, Stack } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { grantKey } from "./customer-key.ts";

/** AWS recommends six times the timeout of the queue's consumer. */
const VISIBILITY_SECONDS = 6 * 60;
const MAX_RECEIVE_COUNT = 5;

export type SchedulerAction = "CreateSchedule" | "DeleteSchedule" | "GetScheduleGroup" | "ListSchedules";

export type Scheduler = {
  readonly group: CfnScheduleGroup;
  /** Receives a message at every slot of every schedule. */
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /** The only role of schedules; it may only send messages to the two queues. */
  readonly role: Role;
};

/** The group of users' schedules at EventBridge Scheduler, and the queue for their slots. */
export function createScheduler(scope: Construct, config: AppConfig, key: IKey | undefined): Scheduler {
  const group = new CfnScheduleGroup(scope, "ScheduleGroup", { name: `agent-platform-${config.stage}` });
  const deadLetters = new Queue(scope, "ScheduleDeadLetters", {
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  const queue = new Queue(scope, "ScheduleQueue", {
    enforceSSL: true,
    retentionPeriod: Duration.days(4),
    visibilityTimeout: Duration.seconds(VISIBILITY_SECONDS),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
  });
  const { account, region } = Stack.of(scope);
  const role = new Role(scope, "ScheduleRole", {
    description: "Of the users' schedules: puts a message into the schedule queue at every slot",
    assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": account, "aws:SourceArn": group.attrArn } },
    }),
  });
  role.addToPolicy(
    new PolicyStatement({
      actions: ["sqs:SendMessage"],
      resources: [queue.queueArn, deadLetters.queueArn],
    }),
  );
  grantKey(role, key, region);
  return { group, queue, deadLetters, role };
}

/** Environment variables of functions that manage schedules. */
export const schedulerValues = ({ group, queue, deadLetters, role }: Scheduler) => ({
  SCHEDULE_GROUP: group.ref,
  SCHEDULE_QUEUE_URL: queue.queueUrl,
  SCHEDULE_QUEUE_ARN: queue.queueArn,
  SCHEDULE_DEAD_LETTERS_ARN: deadLetters.queueArn,
  SCHEDULE_ROLE_ARN: role.roleArn,
});

const LISTING = "ListSchedules" satisfies SchedulerAction;
const ON_GROUP = "GetScheduleGroup" satisfies SchedulerAction;
const CREATING = "CreateSchedule" satisfies SchedulerAction;

/**
 * Lets a function manage schedules in the group, and pass them their role where it creates any. Listing cannot be
 * limited to a resource.
 *
 * @source service authorization reference, EventBridge Scheduler
 */
export function grantScheduler(
  fn: IFunction,
  { group, role }: Scheduler,
  actions: readonly SchedulerAction[],
): void {
  const arn = Stack.of(group).formatArn({
    service: "scheduler",
    resource: "schedule",
    resourceName: `${group.ref}/*`,
  });
  const writing = actions.filter((action) => action !== LISTING && action !== ON_GROUP);
  fn.addToRolePolicy(
    new PolicyStatement({ actions: writing.map((action) => `scheduler:${action}`), resources: [arn] }),
  );
  if (actions.includes(CREATING)) {
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["iam:PassRole"],
        resources: [role.roleArn],
        conditions: { StringEquals: { "iam:PassedToService": "scheduler.amazonaws.com" } },
      }),
    );
  }
  accept(
    fn,
    `arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/<${logicalId(group)}>/*`,
    "Entries are named by the schedules they belong to.",
  );
  if (actions.includes(ON_GROUP))
    fn.addToRolePolicy(
      new PolicyStatement({ actions: [`scheduler:${ON_GROUP}`], resources: [group.attrArn] }),
    );
  if (!actions.includes(LISTING)) return;
  fn.addToRolePolicy(new PolicyStatement({ actions: [`scheduler:${LISTING}`], resources: ["*"] }));
  accept(fn, "*", "Listing schedules knows no resource; it shows names.");
}

const logicalId = (group: CfnScheduleGroup): string => Stack.of(group).getLogicalId(group);

function accept(fn: IFunction, resource: string, reason: string): void {
  if (fn.role) acknowledge(fn.role, { [`AwsSolutions-IAM5[Resource::${resource}]`]: reason });
}
