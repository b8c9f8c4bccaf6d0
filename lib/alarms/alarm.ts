import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";
import { alarmTopicArns } from "./alarm-topic.ts";

export type Watched = {
  readonly metric: IMetric;
  /** The alarm rings above this. */
  readonly above: number;
  /** For how many periods in a row. */
  readonly periods: number;
  readonly meaning: string;
  /** Section of docs/operations.md that tells what to do. */
  readonly section: string;
};

/** How long figures are summed up before they are looked at. */
export const alarmPeriod = Duration.minutes(5);

/** One alarm, which tells the topics of the deployment where there are any. */
export function createAlarm(scope: Construct, id: string, config: AppConfig, alarm: Watched): Alarm {
  const created = new Alarm(scope, id, {
    metric: alarm.metric,
    threshold: alarm.above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: alarm.periods,
    // No traffic is no trouble.
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: `${alarm.meaning} See docs/operations.md#${alarm.section}`,
  });
  for (const alarmActionArn of alarmTopicArns(scope, config)) {
    created.addAlarmAction({ bind: () => ({ alarmActionArn }) });
  }
  return created;
}

/** Rings when a function crashes or runs out of time in two periods in a row. */
export const errorsOf = (fn: IFunction, meaning: string, section: string): Watched => ({
  metric: fn.metricErrors({ period: alarmPeriod, statistic: "Sum" }),
  above: 0,
  periods: 2,
  meaning,
  section,
});
