import { beforeAll, describe, expect, test } from "vitest";
import { bundleOf, type Resource, type Synthesized, synthesized } from "./synthesized.ts";

let app: Synthesized;
beforeAll(async () => {
  app = await synthesized({ worker_concurrency: "7", worker_batch_size: "3" });
});

function only(found: readonly Resource[]): Resource {
  const [first, ...others] = found;
  if (!first || others.length > 0) throw new Error(`expected one, found ${found.length}`);
  return first;
}

const fn = (bundle: string) =>
  only(app.ofType("AWS::Lambda::Function").filter((candidate) => bundleOf(candidate) === bundle));
const queue = (prefix: string) =>
  only(app.ofType("AWS::SQS::Queue").filter(({ id }) => id.startsWith(prefix)));
/** Whether a source feeds a function, by itself or by its alias. */
const feeds = ({ properties }: Resource, { id }: Resource): boolean =>
  properties.FunctionName === `<${id}>` ||
  app
    .ofType("AWS::Lambda::Alias")
    .some(
      (alias) =>
        alias.properties.FunctionName === `<${id}>` &&
        String(properties.FunctionName).includes(`<${alias.id}>`),
    );
const sourceOf = (bundle: string) =>
  only(app.ofType("AWS::Lambda::EventSourceMapping").filter((source) => feeds(source, fn(bundle))));

describe("the run queue", () => {
  test("gives up a message after five tries to the dead-letter queue", () => {
    expect(queue("RunQueue").properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: `<${queue("DeadLetters").id}>.Arn`,
      maxReceiveCount: 5,
    });
  });

  test.each([
    ["worker", "RunQueue"],
    ["housekeeper", "DeadLetters"],
  ])("feeds %s from %s, message by message, and hides them for six times its timeout", (bundle, prefix) => {
    const { properties } = sourceOf(bundle);
    expect(properties.EventSourceArn).toBe(`<${queue(prefix).id}>.Arn`);
    expect(properties.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
    const { VisibilityTimeout } = queue(prefix).properties;
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * fn(bundle).properties.Timeout);
    expect(VisibilityTimeout).toBeLessThanOrEqual(43_200);
  });

  test("is braked by the source, as configured, and never by reserved concurrency", () => {
    const { properties } = sourceOf("worker");
    expect(properties.ScalingConfig).toEqual({ MaximumConcurrency: 7 });
    expect(properties.BatchSize).toBe(3);
    for (const { properties } of app.ofType("AWS::Lambda::Function")) {
      expect(properties.ReservedConcurrentExecutions).toBeUndefined();
    }
  });

  test("may be fed by the worker that reads it, as the dead-letter queue by its function", () => {
    expect(fn("worker").properties.RecursiveLoop).toBe("Allow");
    expect(fn("housekeeper").properties.RecursiveLoop).toBe("Allow");
  });

  test("has a dead-letter queue whose alarm is raised by what stays there, not by a check of the locks that passes", () => {
    const { properties } = only(
      app.ofType("AWS::CloudWatch::Alarm").filter(({ id }) => id.startsWith("DeadLettersAlarm")),
    );
    expect(properties).toMatchObject({ Statistic: "Minimum", Threshold: 0, Period: 300 });
  });

  test("feeds the version that was deployed last, which no resource of the template is: a second try must find it there", () => {
    expect(app.ofType("AWS::Lambda::Version")).toEqual([]);
    const publication = only(
      app
        .ofType("AWS::CloudFormation::CustomResource")
        .filter(({ properties }) => properties.Step === "publish"),
    );
    expect(publication.properties).toMatchObject({
      ServiceToken: `<${fn("deployment").id}>.Arn`,
      FunctionName: `<${fn("worker").id}>`,
      Content: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const alias = only(app.ofType("AWS::Lambda::Alias"));
    expect(alias.id).toBe("WorkerAliaslive13B29DE5");
    expect(alias.properties).toMatchObject({ Name: "live", FunctionVersion: `<${publication.id}>.Version` });
    expect(sourceOf("worker").properties.FunctionName).toMatch(/:live$/);
  });

  test("refuses requests that are not encrypted", () => {
    const denied = app.ofType("AWS::SQS::QueuePolicy").map(({ properties }) => properties.PolicyDocument);
    expect(denied).toHaveLength(app.ofType("AWS::SQS::Queue").length);
    for (const { Statement } of denied) {
      expect(Statement).toContainEqual(
        expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      );
    }
  });
});

/** Seconds that a message stays hidden: six timeouts of its function is what Lambda asks for. */
const hiddenFor = (bundle: string): number => {
  const { Timeout } = fn(bundle).properties;
  // A message of a chat that is not deleted holds up its conversation, so it comes back as soon as its worker is dead.
  return bundle === "chat-worker" ? Timeout : 6 * Timeout;
};

/** Queues of wake-ups: the sweeper sends again what is lost there, from a record that says what is due. */
const wakeups = ["DeliveryQueue", "EvalQueue", "KnowledgeQueue"];

describe("every queue", () => {
  test("that feeds a function brakes it, takes messages back one by one, and hides them for long enough", () => {
    const sources = app.ofType("AWS::Lambda::EventSourceMapping");
    expect(sources).toHaveLength(7);
    for (const source of sources) {
      const { id, properties } = source;
      expect(properties.ScalingConfig?.MaximumConcurrency, id).toBeGreaterThanOrEqual(2);
      expect(properties.FunctionResponseTypes, id).toEqual(["ReportBatchItemFailures"]);
      const fed = app.ofType("AWS::Lambda::Function").filter((one) => feeds(source, one));
      const by = app
        .ofType("AWS::SQS::Queue")
        .filter((one) => properties.EventSourceArn === `<${one.id}>.Arn`);
      expect(only(by).properties.VisibilityTimeout, id).toBeGreaterThanOrEqual(
        hiddenFor(bundleOf(only(fed))),
      );
    }
  });

  test("has a dead-letter queue, is one, or holds wake-ups", () => {
    const queues = app.ofType("AWS::SQS::Queue");
    const deadLettersOf = queues.map(({ properties }) => properties.RedrivePolicy?.deadLetterTargetArn);
    const bare = queues.filter(
      ({ id, properties }) => !properties.RedrivePolicy && !deadLettersOf.includes(`<${id}>.Arn`),
    );
    expect(bare.map(({ id }) => id.replace(/[0-9A-F]{8}$/, "")).toSorted()).toEqual(wakeups);
  });
});

test.each([
  ["sweeper", "rate(1 minute)"],
  ["schedule-reconcile", "rate(5 minutes)"],
])("%s is called at %s, by a role that may do nothing else", (bundle, rate) => {
  const called = `<${fn(bundle).id}>.Arn`;
  const timers = app.ofType("AWS::Scheduler::Schedule");
  const { properties } = only(timers.filter((timer) => timer.properties.Target.Arn === called));
  expect(properties.ScheduleExpression).toBe(rate);
  const role = only(
    app.ofType("AWS::IAM::Role").filter(({ id }) => properties.Target.RoleArn === `<${id}>.Arn`),
  );
  expect(
    role.properties.Policies.map(({ PolicyDocument }: { PolicyDocument: unknown }) => PolicyDocument),
  ).toEqual([
    expect.objectContaining({
      Statement: [{ Action: "lambda:InvokeFunction", Effect: "Allow", Resource: called }],
    }),
  ]);
});
