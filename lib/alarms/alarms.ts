import { Duration } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { type Alarm, type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import {
  METRIC_NAMESPACE,
  type OperationalMetric,
  serviceOf,
} from "../../shared/runtime/metrics/operational-metrics.ts";
import { type AppConfig, publishesEvents } from "../config/config.ts";
import type { Tables } from "../stacks/data-stack.ts";
import type { Scheduler } from "../storage/scheduler.ts";
import { hasChats } from "../workers/chat.ts";
import type { QueueFunctions, Queues } from "../workers/run-queue.ts";
import { watchAccountCost } from "./account-cost.ts";
import { createAlarm, errorsOf, alarmPeriod as period, type Watched } from "./alarm.ts";

export type WatchedResources = {
  /** Functions behind it need no alarm of their own: their failures are 5xx here. */
  readonly httpApi: HttpApi;
  readonly queues: Queues;
  readonly functions: QueueFunctions;
  readonly scheduler: Scheduler;
  /** Compares schedules and scheduler. */
  readonly reconcile: IFunction;
  /** Functions behind function URLs, which the HTTP API does not see. */
  readonly streams: readonly IFunction[];
  readonly housekeeper: IFunction;
  readonly chatDeadLetters: IQueue;
  readonly tables: Tables;
  /** Functions whose crashes are counted when another worker takes over their work. */
  readonly workers: readonly IFunction[];
  /** Queues whose messages the sweeper sends again. */
  readonly wakeupQueues: readonly IQueue[];
};

/** All alarms of the service, each with its section in docs/operations.md, and those of the account's bill. */
export function createAlarms(scope: Construct, config: AppConfig, watched: WatchedResources): Alarm[] {
  watchAccountCost(scope, config);
  return Object.entries({
    ...ofQueues(watched),
    ...ofFunctions(watched),
    ...ofRuns(config),
    ...ofCost(config),
    ...ofBudgets(config),
    // Where nothing is sent, watching it is not paid for.
    ...(publishesEvents(config) && ofDeliveries(config)),
    ...(hasChats(config) && ofChats(watched, config)),
  }).map(([id, alarm]) => createAlarm(scope, id, config, alarm));
}

/** Messages that wait longer need an operator. */
const TOO_OLD_SECONDS = 900;

function ofQueues({ queues, scheduler }: WatchedResources): Readonly<Record<string, Watched>> {
  const maximum = { period, statistic: "Maximum" };
  return {
    DeadLettersAlarm: {
      // Checks of the locks pass through this queue in a moment; what stays is there at every instant of a period.
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Minimum" }),
      above: 0,
      periods: 2,
      meaning: "Messages stay in the dead-letter queue.",
      section: "messages-stay-in-the-dead-letter-queue",
    },
    ScheduleDeadLettersAlarm: {
      metric: scheduler.deadLetters.metricApproximateNumberOfMessagesVisible(maximum),
      above: 0,
      periods: 2,
      meaning: "Slots of schedules could not be delivered or worked.",
      section: "slots-of-schedules-stay-in-the-dead-letter-queue",
    },
    OldestSlotAlarm: {
      metric: scheduler.queue.metricApproximateAgeOfOldestMessage(maximum),
      above: TOO_OLD_SECONDS,
      periods: 3,
      meaning: "Slots of schedules have been waiting for a quarter of an hour.",
      section: "slots-of-schedules-wait-too-long",
    },
  };
}

function ofFunctions(watched: WatchedResources): Readonly<Record<string, Watched>> {
  const { httpApi, functions, reconcile, streams } = watched;
  const sum = { period, statistic: "Sum" };
  return {
    ServerErrorsAlarm: {
      metric: httpApi.metricServerError(sum),
      above: 5,
      periods: 1,
      meaning: "The API answers with 5xx.",
      section: "the-api-answers-with-5xx",
    },
    ...(streams.length > 0 && {
      StreamErrorsAlarm: {
        metric: highest(streams.map((fn) => fn.metricErrors(sum))),
        above: 0,
        periods: 2,
        meaning: "Functions that stream crash or run out of time.",
        section: "streams-break-off",
      },
    }),
    SweeperErrorsAlarm: errorsOf(
      functions.sweeper,
      "The sweeper fails, so jobs of dead workers stay locked.",
      "the-sweeper-fails",
    ),
    HousekeeperErrorsAlarm: {
      ...errorsOf(
        watched.housekeeper,
        "The function that recovers jobs, removes sessions, migrates and computes figures crashes or runs out of time.",
        "the-housekeeper-fails",
      ),
      // What it computes is asked for now and then.
      periods: 1,
    },
    ScheduleDriftAlarm: {
      ...errorsOf(
        reconcile,
        "Schedules had no entry at the scheduler, or the two could not be compared.",
        "schedules-and-scheduler-differ",
      ),
      // It runs once a day.
      periods: 1,
    },
  };
}

/** How often something happened that the service itself counts. */
const counted = ({ stage }: AppConfig, metricName: OperationalMetric): Metric =>
  new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { service: serviceOf(stage) },
    statistic: "Sum",
    period,
  });

/** Of the runs that end, more than this share may not fail. Fewer failures than these are no share of anything. */
const FAILED_SHARE = 0.2;
const FEW_FAILURES = 5;
/** Executions that fail at a model in five minutes. */
const FAILED_AT_MODELS = 10;

/** What the service itself counts: a failed run is no failed request and no crash. */
const ofRuns = (config: AppConfig): Readonly<Record<string, Watched>> => ({
  OverdueWorkAlarm: {
    // One figure of the sweeper instead of the age of each queue, of which every one would be paid for. It reads the records, so a
    // lost message counts too, and not what a worker with free slots holds: a message, for up to a quarter of an hour.
    metric: counted(config, "OverdueWorkSeconds").with({ statistic: "Maximum" }),
    above: TOO_OLD_SECONDS,
    periods: 3,
    meaning:
      "Runs, or other work in the background, have been due for a quarter of an hour and are not claimed.",
    section: "work-waits-too-long",
  },
  CrashesAlarm: {
    // One figure of ours instead of the errors of each function, of which every one would be paid for. Whoever takes over what a worker
    // had in hand counts it, so it also counts what Lambda does not: an error that a function reports with its messages.
    metric: counted(config, "Crashes"),
    above: 0,
    periods: 1,
    meaning: "A worker ended without a word while it had work: it crashed, or ran out of time.",
    section: "workers-crash",
  },
  FailedRunsAlarm: {
    metric: new MathExpression({
      expression: `IF(FILL(failed, 0) < ${FEW_FAILURES}, 0, FILL(failed, 0) / (FILL(failed, 0) + FILL(completed, 0)))`,
      usingMetrics: {
        failed: counted(config, "RunsFailed"),
        completed: counted(config, "RunsCompleted"),
      },
      period,
    }),
    above: FAILED_SHARE,
    periods: 2,
    meaning: "More than a fifth of the runs that end have failed.",
    section: "runs-fail",
  },
  ModelErrorsAlarm: {
    metric: counted(config, "FailedAtModels"),
    above: FAILED_AT_MODELS,
    periods: 2,
    meaning: "A model fails, or refuses calls because there are too many.",
    section: "a-model-fails",
  },
  ThrottlesAlarm: {
    // Of all functions of the account in this region, which share what is throttled.
    metric: new Metric({ namespace: "AWS/Lambda", metricName: "Throttles", statistic: "Sum", period }),
    above: 0,
    periods: 3,
    meaning: "Lambda refuses invocations: the account has reached its concurrency.",
    section: "lambda-throttles",
  },
  TableThrottlesAlarm: {
    // Counted by every function where it calls, since each table's own metrics would be paid for.
    metric: counted(config, "TableThrottles"),
    above: 0,
    periods: 3,
    meaning: "DynamoDB refuses calls because there are too many.",
    section: "tables-throttle",
  },
});

/** Where a limit is set: without one there is nothing to compare with, and the alarm would be paid for. */
const ofCost = (config: AppConfig): Readonly<Record<string, Watched>> =>
  config.alarmCostPerHour === undefined
    ? {}
    : {
        CostAlarm: {
          metric: counted(config, "Cost").with({ period: Duration.hours(1) }),
          above: config.alarmCostPerHour,
          periods: 1,
          meaning: "The models of all runs have cost more in an hour than is allowed for.",
          section: "runs-cost-too-much",
        },
      };

/** The figure is recorded from 80 percent of a budget on. */
const ofBudgets = (config: AppConfig): Readonly<Record<string, Watched>> => {
  const {
    daily_tokens_per_user,
    daily_cost_per_user,
    daily_tokens_per_deployment,
    daily_cost_per_deployment,
  } = config;
  const limits = [
    daily_tokens_per_user,
    daily_cost_per_user,
    daily_tokens_per_deployment,
    daily_cost_per_deployment,
  ];
  return limits.every((limit) => limit === 0)
    ? {}
    : {
        DailyBudgetAlarm: {
          metric: counted(config, "DailyBudgetPercent").with({ statistic: "Maximum" }),
          above: 0,
          periods: 1,
          meaning: "A user, or all users together, have spent 80 % of a daily budget.",
          section: "a-daily-budget-is-nearly-spent",
        },
      };
};

const ofChats = (
  { chatDeadLetters }: WatchedResources,
  config: AppConfig,
): Readonly<Record<string, Watched>> => ({
  ChatDeadLettersAlarm: {
    metric: chatDeadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" }),
    above: 0,
    periods: 2,
    meaning: "Messages of chat platforms could not be handled.",
    section: "messages-of-chats-stay-in-the-dead-letter-queue",
  },
  UndeliveredAnswersAlarm: {
    metric: counted(config, "UndeliveredAnswers"),
    above: 0,
    periods: 1,
    meaning: "Answers to messages of chats could not be delivered for a day.",
    section: "answers-of-chats-cannot-be-delivered",
  },
});

function ofDeliveries(config: AppConfig): Readonly<Record<string, Watched>> {
  return {
    UndeliveredEventsAlarm: {
      metric: counted(config, "UndeliveredEvents"),
      above: 0,
      periods: 1,
      meaning: "Events were not delivered, and will not be: every try failed, or was refused for good.",
      section: "events-were-not-delivered",
    },
    ...(config.webhooks === "on" && {
      EndpointsDisabledAlarm: {
        metric: counted(config, "EndpointsDisabled"),
        above: 0,
        periods: 1,
        meaning:
          "A webhook endpoint was disabled: it has accepted no message for five days, or asked for it.",
        section: "a-webhook-endpoint-was-disabled",
      },
    }),
  };
}

/** The highest value among several resources that one alarm watches. */
function highest(metrics: readonly IMetric[]): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]));
  return new MathExpression({ expression: "MAX(METRICS())", usingMetrics, period });
}
