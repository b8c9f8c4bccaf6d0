import { Duration } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { AppConfig } from "./config.ts";
import type { QueueFunctions, Queues } from "./run-queue.ts";
import type { Scheduler } from "./scheduler.ts";

type Watched = {
  readonly metric: IMetric;
  /** The alarm rings above this. */
  readonly above: number;
  /** For how many periods in a row. */
  readonly periods: number;
  readonly meaning: string;
  /** Section of docs/operations.md that tells what to do. */
  readonly section: string;
};

const period = Duration.minutes(5);

/** Everything that somebody should look at, each with the place that tells what to do. */
export function createAlarms(
  scope: Construct,
  config: AppConfig,
  watched: {
    readonly httpApi: HttpApi;
    readonly queues: Queues;
    readonly functions: QueueFunctions;
    readonly scheduler: Scheduler;
    readonly scheduleExecutor: IFunction;
    /** Compares schedules and scheduler. */
    readonly reconcile: IFunction;
    readonly chatDeadLetters: IQueue;
  },
): void {
  const topic = config.alarmTopicArn && Topic.fromTopicArn(scope, "AlarmTopic", config.alarmTopicArn);
  for (const [id, alarm] of Object.entries(alarmsOf(watched))) {
    const created = new Alarm(scope, id, {
      metric: alarm.metric,
      threshold: alarm.above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: alarm.periods,
      // No traffic is no trouble.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${alarm.meaning} See docs/operations.md#${alarm.section}`,
    });
    if (topic) created.addAlarmAction(new SnsAction(topic));
  }
}

function alarmsOf({
  httpApi,
  queues,
  functions,
  scheduler,
  scheduleExecutor,
  reconcile,
  chatDeadLetters,
}: Parameters<typeof createAlarms>[2]): Readonly<Record<string, Watched>> {
  const sum = { period, statistic: "Sum" };
  const most = { period, statistic: "Maximum" };
  return {
    DeadLettersAlarm: {
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible(most),
      above: 0,
      periods: 2,
      meaning: "Messages stay in the dead-letter queue.",
      section: "messages-stay-in-the-dead-letter-queue",
    },
    OldestMessageAlarm: {
      metric: queues.runQueue.metricApproximateAgeOfOldestMessage(most),
      above: 900,
      periods: 3,
      meaning: "Runs have been waiting for a quarter of an hour.",
      section: "runs-wait-too-long",
    },
    WorkerErrorsAlarm: {
      metric: functions.worker.metricErrors(sum),
      above: 0,
      periods: 2,
      meaning: "Workers crash or run out of time.",
      section: "workers-crash",
    },
    SweeperErrorsAlarm: {
      metric: functions.sweeper.metricErrors(sum),
      above: 0,
      periods: 2,
      meaning: "The sweeper fails, so jobs of dead workers stay locked.",
      section: "the-sweeper-fails",
    },
    ScheduleDeadLettersAlarm: {
      metric: scheduler.deadLetters.metricApproximateNumberOfMessagesVisible(most),
      above: 0,
      periods: 2,
      meaning: "Slots of schedules could not be delivered or worked.",
      section: "slots-of-schedules-stay-in-the-dead-letter-queue",
    },
    ScheduleExecutorErrorsAlarm: {
      metric: scheduleExecutor.metricErrors(sum),
      above: 0,
      periods: 2,
      meaning: "The function that runs schedules crashes or runs out of time.",
      section: "schedules-cannot-be-run",
    },
    ScheduleDriftAlarm: {
      metric: reconcile.metricErrors(sum),
      above: 0,
      periods: 1,
      meaning: "Schedules had no entry at the scheduler, or the two could not be compared.",
      section: "schedules-and-scheduler-differ",
    },
    ChatDeadLettersAlarm: {
      metric: chatDeadLetters.metricApproximateNumberOfMessagesVisible(most),
      above: 0,
      periods: 2,
      meaning: "Messages of chat platforms could not be handled.",
      section: "messages-of-chats-stay-in-the-dead-letter-queue",
    },
    ServerErrorsAlarm: {
      metric: httpApi.metricServerError(sum),
      above: 5,
      periods: 1,
      meaning: "The API answers with 5xx.",
      section: "the-api-answers-with-5xx",
    },
  };
}
