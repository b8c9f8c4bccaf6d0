import { expect, test } from "vitest";
import { type Resource, synthesized } from "./synthesized.ts";

const app = await synthesized({ stage: "prod" });

const named = (type: string, prefix: string): Resource => {
  const [found, ...others] = app.ofType(type).filter(({ id }) => id.startsWith(prefix));
  if (!found || others.length > 0) throw new Error(`expected one ${prefix}`);
  return found;
};
const role = named("AWS::IAM::Role", "ScheduleRole");
const group = named("AWS::Scheduler::ScheduleGroup", "ScheduleGroup");
const queue = named("AWS::SQS::Queue", "ScheduleQueue");
const deadLetters = named("AWS::SQS::Queue", "ScheduleDeadLetters");

const statementsOf = (roleId: string) =>
  app
    .ofType("AWS::IAM::Policy")
    .filter(({ properties }) => properties.Roles.includes(`<${roleId}>`))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement);

test("each stage has a group of its own", () => {
  expect(group.properties.Name).toBe("agent-platform-prod");
});

test("schedules have one role, which fills two queues and which only the group's schedules take on", () => {
  expect(statementsOf(role.id)).toEqual([
    {
      Action: "sqs:SendMessage",
      Effect: "Allow",
      Resource: [`<${deadLetters.id}>.Arn`, `<${queue.id}>.Arn`],
    },
  ]);
  const [trust, ...others] = role.properties.AssumeRolePolicyDocument.Statement;
  expect(others).toEqual([]);
  expect(trust.Principal).toEqual({ Service: "scheduler.amazonaws.com" });
  expect(trust.Condition.StringEquals["aws:SourceArn"]).toBe(`<${group.id}>.Arn`);
});

test("whoever makes schedules can hand them no other role, and to no other service", () => {
  const passing = app
    .ofType("AWS::IAM::Role")
    .flatMap(({ id }) => statementsOf(id))
    .filter(({ Action }) => [Action].flat().includes("iam:PassRole"));
  expect(passing.length).toBeGreaterThan(0);
  for (const statement of passing) {
    expect(statement).toEqual({
      Action: "iam:PassRole",
      Effect: "Allow",
      Resource: `<${role.id}>.Arn`,
      Condition: { StringEquals: { "iam:PassedToService": "scheduler.amazonaws.com" } },
    });
  }
});

test("a slot that cannot be delivered or worked ends where operators see it", () => {
  expect(queue.properties.RedrivePolicy).toEqual({
    deadLetterTargetArn: `<${deadLetters.id}>.Arn`,
    maxReceiveCount: 5,
  });
});
