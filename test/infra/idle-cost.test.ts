import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { INTERFACES, standingOf } from "../../bench/cost/standing.ts";
import { synthesized } from "./synthesized.ts";

const topic = { alarmTopicArn: "arn:aws:sns:eu-west-1:123456789012:ops", alarmEmail: "ops@example.com" };
const app = await synthesized({ stage: "prod", costAlarmUsd: 500, ...topic });
/** With everything that a deployment may bring. */
const slack = { component: "agents/assistant" };
const whole = await synthesized({
  stage: "prod",
  userPool: "true",
  webhooks: "on",
  slack,
  alarmCostPerHour: 5,
  costAlarmUsd: 500,
  workerRollout: "canary",
  ...topic,
});

/** Types that cost nothing, or cents, without calls. Whoever adds one has looked at its price. */
const idle = [
  "AWS::ApiGatewayV2::Api",
  "AWS::ApiGatewayV2::Authorizer",
  "AWS::ApiGatewayV2::Integration",
  "AWS::ApiGatewayV2::Route",
  "AWS::ApiGatewayV2::Stage",
  // Budgets that only notify are free, and so are monitors of costs.
  "AWS::Budgets::Budget",
  "AWS::CE::AnomalyMonitor",
  "AWS::CE::AnomalySubscription",
  "AWS::CloudFormation::CustomResource",
  "AWS::CloudFormation::Stack",
  "AWS::CloudFront::CachePolicy",
  "AWS::CloudFront::Distribution",
  "AWS::CloudFront::Function",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::DynamoDB::GlobalTable",
  "AWS::IAM::Policy",
  "AWS::IAM::Role",
  "AWS::Lambda::Alias",
  "AWS::Lambda::EventSourceMapping",
  "AWS::Lambda::Function",
  "AWS::Lambda::Permission",
  "AWS::Lambda::Url",
  "AWS::Logs::LogGroup",
  "AWS::S3::Bucket",
  "AWS::S3::BucketPolicy",
  "AWS::S3Vectors::VectorBucket",
  "AWS::SNS::Subscription",
  "AWS::SNS::Topic",
  "AWS::SNS::TopicPolicy",
  "AWS::SQS::Queue",
  "AWS::SQS::QueuePolicy",
  "AWS::Scheduler::Schedule",
  "AWS::Scheduler::ScheduleGroup",
  // 40 cents a month: docs/price.md counts it.
  "AWS::SecretsManager::Secret",
];

test("nothing in the template costs money without calls", () => {
  const types = new Set(app.resources.map(({ type }) => type));
  expect([...types].filter((type) => !idle.includes(type))).toEqual([]);
  for (const { properties } of app.ofType("AWS::Lambda::EventSourceMapping")) {
    expect(properties.ProvisionedPollerConfig).toBeUndefined();
  }
});

test("the interfaces that other programs come by add nothing that stands, no type of a resource and no timer", async () => {
  const stage = { stage: "prod", userPool: "true" };
  const [closed, open] = [await synthesized(stage), await synthesized({ ...stage, ...INTERFACES })];
  expect(standingOf(open.stacks)).toEqual(standingOf(closed.stacks));
  const typesOf = ({ resources }: typeof closed) => new Set(resources.map(({ type }) => type));
  expect(typesOf(open)).toEqual(typesOf(closed));
  const timers = "AWS::Scheduler::Schedule";
  expect(open.ofType(timers)).toHaveLength(closed.ofType(timers).length);
});

test("the documents count the alarms that a deployment has", () => {
  const { alarms } = standingOf(app.stacks);
  for (const page of ["deploy.md", "price.md"]) {
    const text = readFileSync(join(import.meta.dirname, "../../docs", page), "utf8");
    expect(/(\d+) alarms/.exec(text)?.[1], page).toBe(String(alarms));
  }
});

test("every alarm names a section of docs/operations.md and notifies both topics", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/operations.md"), "utf8");
  const anchors = [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-"),
  );
  const alarms = whole.ofType("AWS::CloudWatch::Alarm");
  const named = alarms.map(
    ({ properties }) => /docs\/operations\.md#([a-z0-9-]+)$/.exec(properties.AlarmDescription)?.[1],
  );
  expect(named.toSorted()).toEqual(anchors.toSorted());
  for (const { properties } of alarms) expect(properties.AlarmActions).toHaveLength(2);
});

test("the address of the service is an output, and no other address is", () => {
  expect(Object.keys(app.outputs)).toContain("BaseUrl");
  const values = Object.values(app.outputs).map((output) => JSON.stringify(output));
  expect(values.filter((value) => /lambda-url|execute-api|FunctionUrl|ApiEndpoint/.test(value))).toEqual([]);
});

test("a deployed stage without an issuer is warned of, a local one and one with an issuer are not", async () => {
  const warned = async (context: Record<string, unknown>) =>
    (await synthesized(context)).warnings.filter((text) => text.includes("No issuer is configured")).length;
  expect(await warned({ stage: "dev" })).toBe(1);
  expect(await warned({ stage: "local" })).toBe(0);
  expect(
    await warned({
      stage: "dev",
      jwtIssuers: '[{"issuer":"https://id.example","jwks_uri":"https://id.example/keys"}]',
    }),
  ).toBe(0);
});
