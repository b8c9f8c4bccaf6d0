import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";
import { alarmTopicArns } from "./alarm-topic.ts";

export type Watched = {
  readonly metric: IMetric;
  /** Threshold: the alarm is raised above this. */
  readonly above: number;
  /** Consecutive periods above the threshold. */
  readonly periods: number;
  readonly meaning: string;
  /** Section of docs/operations.md with the remedy. */
  readonly section: string;
};

/** Period over which a metric is aggregated. */
export const alarmPeriod = Duration.minutes(5);

/** One alarm, which notifies the deployment's topics, where there are any. */
export function createAlarm(scope: Construct, id: string, config: AppConfig, alarm: Watched): Alarm {
  const created = new Alarm(scope, id, {
    metric: alarm.metric,
    threshold: alarm.above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: alarm.periods,
    // Without traffic there is no data, and no problem.
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: `${alarm.meaning} See docs/operations.md#${alarm.section}`,
  });
  for (const alarmActionArn of alarmTopicArns(scope, config)) {
    created.addAlarmAction({ bind: () => ({ alarmActionArn }) });
  }
  return created;
}

/** Raised when a function crashes or times out in two consecutive periods. */
export const errorsOf = (fn: IFunction, meaning: string, section: string): Watched => ({
  metric: fn.metricErrors({ period: alarmPeriod, statistic: "Sum" }),
  above: 0,
  periods: 2,
  meaning,
  section,
});
