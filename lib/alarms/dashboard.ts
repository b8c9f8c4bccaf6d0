import { Aws, Duration } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  type IWidget,
  Metric,
  PeriodOverride,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import {
  failureCauses,
  METRIC_NAMESPACE,
  type OperationalMetric,
  serviceOf,
} from "../../shared/runtime/metrics/operational-metrics.ts";
import type { AppConfig } from "../config/config.ts";
import type { WatchedResources } from "./alarms.ts";

type Shown = Pick<
  WatchedResources,
  "httpApi" | "queues" | "functions" | "scheduler" | "streams" | "tables" | "wakeupQueues" | "workers"
> & { readonly alarms: readonly Alarm[] };

type Measured = (name: OperationalMetric, statistic: string, cause?: string) => IMetric;

const period = Duration.minutes(5);
const WIDTH = 24;
const HEIGHT = 6;

/**
 * The one dashboard, with an operator's questions in their order: is work flowing, is it failing, is it slow, what does
 * it cost. It shows no more than fifty metrics: with those, three dashboards of an account are free, and more cost $3 a
 * month each.
 */
export function createDashboard(scope: Construct, { stage }: AppConfig, shown: Shown): void {
  const dimensions = { service: serviceOf(stage) };
  const measured: Measured = (metricName, statistic, cause) =>
    new Metric({
      namespace: METRIC_NAMESPACE,
      metricName,
      dimensionsMap: { ...dimensions, ...(cause !== undefined && { cause }) },
      statistic,
      period,
      label: cause ?? `${metricName} ${statistic === "Sum" ? "" : statistic}`.trim(),
    });
  new Dashboard(scope, "Dashboard", {
    // Dashboards have no region; a stage may be deployed in several.
    dashboardName: `agent-platform-${stage}-${Aws.REGION}`,
    defaultInterval: Duration.days(1),
    periodOverride: PeriodOverride.INHERIT,
    widgets: [
      [new AlarmStatusWidget({ title: "Alarms", alarms: [...shown.alarms], width: WIDTH, height: 4 })],
      ...section("Is work flowing?", throughputGraphs(shown, measured)),
      ...section("Is it failing?", failureGraphs(shown, measured)),
      ...section("Is it slow?", latencyGraphs(shown, measured)),
      ...section("What does it cost?", costGraphs(shown, measured)),
    ],
  });
}

function section(markdown: string, graphs: readonly GraphWidgetProps[]): IWidget[][] {
  const width = Math.floor(WIDTH / graphs.length);
  return [
    [new TextWidget({ markdown: `## ${markdown}`, width: WIDTH, height: 1 })],
    graphs.map((graph) => new GraphWidget({ ...graph, width, height: HEIGHT, leftYAxis: { min: 0 } })),
  ];
}

function throughputGraphs(
  { httpApi, scheduler, wakeupQueues }: Shown,
  measured: Measured,
): GraphWidgetProps[] {
  // Messages of the run queue say less than the jobs beside: workers with free slots hold them.
  const waiting = [scheduler.queue, ...wakeupQueues];
  return [
    { title: "Requests", left: [httpApi.metricCount({ period, statistic: "Sum", label: "requests" })] },
    {
      title: "Runs that ended or paused",
      stacked: true,
      left: (["RunsCompleted", "RunsFailed", "RunsCancelled", "RunsPaused"] as const).map((name) =>
        measured(name, "Sum"),
      ),
    },
    {
      title: "Jobs, and how long the oldest waits",
      left: [measured("QueuedJobs", "Maximum"), measured("RunningJobs", "Maximum")],
      right: [measured("OldestQueuedSeconds", "Maximum")],
    },
    {
      title: "Age of the oldest message (s)",
      left: waiting.map((queue) =>
        queue.metricApproximateAgeOfOldestMessage({ period, statistic: "Maximum", label: queue.node.id }),
      ),
    },
  ];
}

function failureGraphs(
  { httpApi, queues, functions, scheduler, streams, workers }: Shown,
  measured: Measured,
): GraphWidgetProps[] {
  const sum = { period, statistic: "Sum" };
  const crashing = [...workers, functions.sweeper, ...streams];
  return [
    {
      title: "Answers with 5xx, and with 4xx",
      left: [httpApi.metricServerError({ ...sum, label: "5xx" })],
      right: [httpApi.metricClientError({ ...sum, label: "4xx" })],
    },
    {
      title: "Failed executions by cause",
      stacked: true,
      left: failureCauses.map((cause) => measured("Failures", "Sum", cause)),
    },
    {
      title: "Crashes and timeouts of functions",
      left: crashing.map((fn) => fn.metricErrors({ ...sum, label: fn.node.id })),
      right: [measured("Crashes", "Sum")],
    },
    {
      title: "Dead letters, and dropped form fields",
      left: [queues.deadLetters, scheduler.deadLetters].map((queue) =>
        queue.metricApproximateNumberOfMessagesVisible({
          period,
          statistic: "Maximum",
          label: queue.node.id,
        }),
      ),
      right: [measured("DroppedFormFields", "Sum")],
    },
  ];
}

const latencyGraphs = (
  { httpApi }: { readonly httpApi: HttpApi },
  measured: Measured,
): GraphWidgetProps[] => [
  {
    title: "Answers of the API (ms)",
    left: ["p50", "p99"].map((statistic) => httpApi.metricLatency({ period, statistic, label: statistic })),
  },
  {
    title: "Runs from start to end (s)",
    left: ["p50", "p95"].map((statistic) => measured("RunSeconds", statistic)),
  },
  {
    title: "Wait for a worker (s)",
    left: ["p50", "p95"].map((statistic) => measured("QueueWaitSeconds", statistic)),
  },
];

const costGraphs = ({ functions, tables }: Shown, measured: Measured): GraphWidgetProps[] => [
  { title: "Tokens", stacked: true, left: [measured("InputTokens", "Sum"), measured("OutputTokens", "Sum")] },
  {
    title: "Input tokens of the caches of models",
    stacked: true,
    left: [measured("CacheReadTokens", "Sum"), measured("CacheWriteTokens", "Sum")],
  },
  { title: "Models (dollars)", left: [measured("Cost", "Sum")] },
  {
    title: "Write units",
    stacked: true,
    left: (["jobs", "runs", "sessions"] as const).map((name) =>
      tables[name].metricConsumedWriteCapacityUnits({ period, statistic: "Sum", label: name }),
    ),
  },
  {
    title: "Time of workers (ms)",
    left: [functions.worker.metricDuration({ period, statistic: "Sum", label: "workers" })],
  },
];
