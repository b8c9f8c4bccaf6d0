import { Stack } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { CfnAnomalyMonitor, CfnAnomalySubscription } from "aws-cdk-lib/aws-ce";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";
import { alarmTopicArns } from "./alarm-topic.ts";

/** Percent of the month's amount: of what was spent, and of what AWS expects to be spent. */
const SPENT = 80;
const FORECAST = 100;
/** An anomaly is reported when it costs more than this part of the month's amount. */
const ANOMALY_PART = 0.1;

/**
 * Watches what the AWS account costs, where an amount is set: a budget of the month, and unusual costs of single services.
 * CloudWatch sees neither. Both notify the topics that alarms notify.
 *
 * @decided  Of the whole account: a filter by tag sees nothing before the account's owner has activated the tag for billing, and says
 *           so nowhere.
 */
export function watchAccountCost(scope: Construct, config: AppConfig): void {
  const { stage, costAlarmUsd, costMonitorArn } = config;
  if (costAlarmUsd === undefined) return;
  // Of the account, and so of all its regions.
  const name = `agent-platform-${stage}-${Stack.of(scope).region}`;
  const topics = alarmTopicArns(scope, config);
  const subscribers = topics.map((address) => ({ subscriptionType: "SNS", address }));
  const notify = (notificationType: "ACTUAL" | "FORECASTED", threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: "GREATER_THAN",
      threshold,
      thresholdType: "PERCENTAGE",
    },
    subscribers,
  });
  const budget = new CfnBudget(scope, "AccountBudget", {
    budget: {
      budgetName: name,
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount: costAlarmUsd, unit: "USD" },
    },
    notificationsWithSubscribers: [notify("ACTUAL", SPENT), notify("FORECASTED", FORECAST)],
  });
  const subscription = new CfnAnomalySubscription(scope, "CostAnomalies", {
    subscriptionName: name,
    frequency: "IMMEDIATE",
    monitorArnList: [costMonitorArn ?? createMonitor(scope, name)],
    subscribers: topics.map((address) => ({ type: "SNS", address })),
    thresholdExpression: Stack.of(scope).toJsonString({
      Dimensions: {
        Key: "ANOMALY_TOTAL_IMPACT_ABSOLUTE",
        MatchOptions: ["GREATER_THAN_OR_EQUAL"],
        Values: [String(costAlarmUsd * ANOMALY_PART)],
      },
    }),
  });
  // Both services verify that they may publish to the topic.
  const topic = scope.node.tryFindChild("AlarmTopic");
  if (topic) for (const one of [budget, subscription]) one.node.addDependency(topic);
}

/** One for all services of the account; AWS allows one of this kind. */
const createMonitor = (scope: Construct, monitorName: string): string =>
  new CfnAnomalyMonitor(scope, "CostMonitor", {
    monitorName,
    monitorType: "DIMENSIONAL",
    monitorDimension: "SERVICE",
  }).attrMonitorArn;
