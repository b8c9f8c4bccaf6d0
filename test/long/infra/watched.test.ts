import { describe, expect, test } from "vitest";
import { standingOf } from "../../../bench/cost/standing.ts";
import { type Synthesized, synthesized } from "../../infra/synthesized.ts";

/** With webhooks, which have two alarm metrics more, and a chat, which has two. */
const slack = { component: "agents/assistant" };
const app = await synthesized({ stage: "prod", userPool: "true", webhooks: "on", slack });
const alarms = app.ofType("AWS::CloudWatch::Alarm");
const dashboards = app.ofType("AWS::CloudWatch::Dashboard");

type Looked = { readonly namespace: string; readonly metric: string; readonly at: string };

/** Every metric that an alarm looks at, alone or among several, with the resource that it is of. */
const looked: readonly Looked[] = alarms
  .flatMap(({ properties }) => [
    properties,
    ...(properties.Metrics ?? []).map(
      ({ MetricStat }: { MetricStat?: { Metric: unknown } }) => MetricStat?.Metric,
    ),
  ])
  .filter((metric) => metric?.MetricName !== undefined)
  .flatMap(({ Namespace, MetricName, Dimensions = [] }) =>
    Dimensions.map(({ Value }: { Value: string }) => ({
      namespace: Namespace,
      metric: MetricName,
      at: Value,
    })),
  );
const isWatched = (namespace: string, metric: string, id: string): boolean =>
  looked.some((one) => one.namespace === namespace && one.metric === metric && one.at.includes(`<${id}>`));

/** Functions that the HTTP API calls: what fails in them is a 5xx of the API, which has an alarm. */
const behindApi = JSON.stringify(
  [...app.ofType("AWS::ApiGatewayV2::Integration"), ...app.ofType("AWS::ApiGatewayV2::Authorizer")].map(
    ({ properties }) => properties,
  ),
);

describe("an alarm watches", () => {
  test("the answers of the API", () => {
    const [api] = app.ofType("AWS::ApiGatewayV2::Api");
    expect(looked).toContainEqual({ namespace: "AWS/ApiGateway", metric: "5xx", at: `<${api?.id}>` });
  });

  // What a deployment calls fails the deployment.
  const calledLater = app.ofType("AWS::Lambda::Function").filter(({ id }) => !id.startsWith("Deployment"));
  // Who takes over their work counts that they died; the drill of `CrashesAlarm` shows it.
  const leased =
    /^(Worker|KnowledgeWorker|EvalWorker|ScheduleExecutor|ChatWorker|DeliveryWorker)[0-9A-F]{8}$/;
  test("the crashes of workers that have work in hand", () => {
    expect(calledLater.filter(({ id }) => leased.test(id))).toHaveLength(6);
    expect(looked).toContainEqual({
      namespace: "AgentPlatform",
      metric: "Crashes",
      at: "agent-platform-prod",
    });
  });

  test.each(calledLater.map(({ id }) => id).filter((id) => !leased.test(id)))("the function %s", (id) => {
    expect(isWatched("AWS/Lambda", "Errors", id) || behindApi.includes(`<${id}>`)).toBe(true);
  });

  const queues = app.ofType("AWS::SQS::Queue");
  const deadLetters = queues.filter(({ id }) =>
    queues.some(({ properties }) => properties.RedrivePolicy?.deadLetterTargetArn === `<${id}>.Arn`),
  );

  test.each(deadLetters.map(({ id }) => id))("what stays in the dead-letter queue %s", (id) => {
    expect(isWatched("AWS/SQS", "ApproximateNumberOfMessagesVisible", id)).toBe(true);
  });

  // Its messages are held by workers that have free slots; the age of the jobs is watched instead.
  const messages = queues.filter((queue) => !deadLetters.includes(queue) && !queue.id.startsWith("RunQueue"));
  // Those that wake workers belong to records, whose age the sweeper measures; slots have none yet.
  test("how old slots of schedules grow, and how long work in the background has been due", () => {
    const slots = messages.filter(({ id }) => id.startsWith("Schedule"));
    expect(slots).toHaveLength(1);
    for (const { id } of slots) expect(isWatched("AWS/SQS", "ApproximateAgeOfOldestMessage", id)).toBe(true);
    expect(looked).toContainEqual({
      namespace: "AgentPlatform",
      metric: "OverdueWorkSeconds",
      at: "agent-platform-prod",
    });
  });
});

test("what alarms cost is known: ten metrics of an account are free, each further one is $0.10 a month", async () => {
  const plain = await synthesized({ stage: "prod" });
  const metricsOf = ({ alarms, alarmMetrics }: ReturnType<typeof standingOf>) => ({ alarms, alarmMetrics });
  expect(metricsOf(standingOf(plain.stacks))).toEqual({ alarms: 15, alarmMetrics: 16 });
  expect(metricsOf(standingOf(app.stacks))).toEqual({ alarms: 20, alarmMetrics: 21 });
});

test("a limit of cost per hour has an alarm of its own, over a whole hour", async () => {
  const limited = await synthesized({ stage: "prod", alarmCostPerHour: 5 });
  const [alarm] = limited.ofType("AWS::CloudWatch::Alarm").filter(({ id }) => id.startsWith("CostAlarm"));
  expect(alarm?.properties).toMatchObject({
    MetricName: "Cost",
    Statistic: "Sum",
    Period: 3600,
    Threshold: 5,
  });
  expect(app.ofType("AWS::CloudWatch::Alarm").some(({ id }) => id.startsWith("CostAlarm"))).toBe(false);
});

const alarmOf = ({ ofType }: Synthesized, name: string) =>
  ofType("AWS::CloudWatch::Alarm").find(({ id }) => id.startsWith(name));

test("daily budgets have an alarm, where there are any, and the deployment says what may be spent", async () => {
  expect(alarmOf(app, "DailyBudgetAlarm")?.properties).toMatchObject({
    MetricName: "DailyBudgetPercent",
    Statistic: "Maximum",
    Threshold: 0,
  });
  const [said] = app.infos.filter((info) => info.startsWith("Spending:"));
  expect(said).toContain("$20 a user and day (daily_cost_per_user), $200 all users and day");
  expect(said).toContain("count as $15 a million tokens of input and $75 of output");
  expect(said).toContain("set costAlarmUsd");
  const free = await synthesized({ stage: "prod", daily_cost_per_user: 0, daily_cost_per_deployment: 0 });
  expect(alarmOf(free, "DailyBudgetAlarm")).toBeUndefined();
  expect(free.infos.find((info) => info.startsWith("Spending:"))).toContain("no limit a user and day");
});

test("what the account costs has a budget of AWS and a watch over unusual costs, which notify the topics of the alarms", async () => {
  const context = { stage: "prod", costAlarmUsd: 500, alarmEmail: "ops@example.com" };
  const watched = await synthesized(context);
  const [budget] = watched.ofType("AWS::Budgets::Budget");
  expect(budget?.properties.Budget).toMatchObject({
    BudgetType: "COST",
    TimeUnit: "MONTHLY",
    BudgetLimit: { Amount: 500, Unit: "USD" },
  });
  const notified = budget?.properties.NotificationsWithSubscribers;
  expect(notified).toMatchObject([
    { Notification: { NotificationType: "ACTUAL", Threshold: 80, ThresholdType: "PERCENTAGE" } },
    { Notification: { NotificationType: "FORECASTED", Threshold: 100 } },
  ]);
  const [monitor] = watched.ofType("AWS::CE::AnomalyMonitor");
  const [anomalies] = watched.ofType("AWS::CE::AnomalySubscription");
  expect(anomalies?.properties).toMatchObject({
    Frequency: "IMMEDIATE",
    MonitorArnList: [`<${monitor?.id}>.MonitorArn`],
    Subscribers: [{ Type: "SNS", Address: notified[0].Subscribers[0].Address }],
  });
  expect(JSON.parse(anomalies?.properties.ThresholdExpression).Dimensions.Values).toEqual(["50"]);
  const [policy] = watched.ofType("AWS::SNS::TopicPolicy");
  expect(policy?.properties.PolicyDocument.Statement).toContainEqual(
    expect.objectContaining({
      Principal: {
        Service: ["budgets.amazonaws.com", "cloudwatch.amazonaws.com", "costalerts.amazonaws.com"],
      },
      Condition: { StringEquals: { "aws:SourceAccount": "<AWS::AccountId>" } },
    }),
  );
  const costMonitorArn = "arn:aws:ce::123456789012:anomalymonitor/6f1c";
  const given = await synthesized({ ...context, costMonitorArn });
  expect(given.ofType("AWS::CE::AnomalyMonitor")).toEqual([]);
  expect(given.ofType("AWS::CE::AnomalySubscription")[0]?.properties.MonitorArnList).toEqual([
    costMonitorArn,
  ]);
  expect(app.resources.filter(({ type }) => /^AWS::(Budgets|CE)::/.test(type))).toEqual([]);
});

test("without a chat its queue is neither polled nor watched", async () => {
  const plain = await synthesized({ stage: "prod" });
  const polled = ({ ofType }: Synthesized) =>
    ofType("AWS::Lambda::EventSourceMapping").find(({ properties }) =>
      String(properties.EventSourceArn).includes("ChatQueue"),
    )?.properties.Enabled ?? true;
  expect([polled(plain), polled(app)]).toEqual([false, true]);
  const named = ({ ofType }: Synthesized) =>
    JSON.stringify(ofType("AWS::CloudWatch::Alarm")).includes("Chat");
  expect([named(plain), named(app)]).toEqual([false, true]);
});

describe("what runs report is watched, since a failed run is no failed request", () => {
  const alarm = (id: string) => alarms.find((one) => one.id.startsWith(id))?.properties;

  test("a share of the runs that end, unless few failed", () => {
    const metrics: { Expression?: string; MetricStat?: { Metric: { MetricName: string } } }[] =
      alarm("FailedRunsAlarm").Metrics;
    expect(metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? [])).toEqual([
      "RunsFailed",
      "RunsCompleted",
    ]);
    expect(metrics[0]?.Expression).toMatch(/^IF\(FILL\(failed, 0\) < 5, 0,/);
    expect(alarm("FailedRunsAlarm").Threshold).toBe(0.2);
  });

  test("the age of the oldest work that is due, runs among it, not of a message that a worker holds", () => {
    expect(alarm("OverdueWorkAlarm")).toMatchObject({
      Namespace: "AgentPlatform",
      MetricName: "OverdueWorkSeconds",
      Statistic: "Maximum",
      Threshold: 900,
    });
    expect(alarm("OldestMessageAlarm")).toBeUndefined();
  });

  test("errors of models, throttled invocations, throttled writes", () => {
    expect(alarm("ModelErrorsAlarm")).toMatchObject({ MetricName: "FailedAtModels", Threshold: 10 });
    expect(alarm("ThrottlesAlarm")).toMatchObject({ Namespace: "AWS/Lambda", MetricName: "Throttles" });
    expect(alarm("TableThrottlesAlarm")).toMatchObject({
      Namespace: "AgentPlatform",
      MetricName: "TableThrottles",
    });
  });
});

describe("the dashboard", () => {
  const body: { widgets: { type: string; properties: { markdown?: string; metrics?: unknown[][] } }[] } =
    JSON.parse(dashboards[0]?.properties.DashboardBody);
  const graphs = body.widgets.flatMap(({ properties }) => properties.metrics ?? []);

  test("is one, and of so few metrics that it is free", () => {
    expect(dashboards).toHaveLength(1);
    expect(graphs.length).toBeGreaterThan(30);
    expect(graphs.length).toBeLessThanOrEqual(50);
  });

  test("asks an operator's questions in their order", () => {
    const asked = body.widgets.flatMap(({ properties }) => properties.markdown ?? []);
    expect(asked).toEqual([
      "## Is work flowing?",
      "## Is it failing?",
      "## Is it slow?",
      "## What does it cost?",
    ]);
  });

  test("shows what the functions measure, under the names that they write", () => {
    const ours = graphs.filter(([namespace]) => namespace === "AgentPlatform");
    expect(ours).toContainEqual(
      expect.arrayContaining(["AgentPlatform", "RunsFailed", "service", "agent-platform-prod"]),
    );
    expect(ours).toContainEqual(
      expect.arrayContaining([
        "AgentPlatform",
        "Failures",
        "cause",
        "crash",
        "service",
        "agent-platform-prod",
      ]),
    );
  });
});
