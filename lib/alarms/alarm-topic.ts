import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";

type TopicConfig = Pick<AppConfig, "stage" | "alarmEmail" | "alarmTopicArn" | "costAlarmUsd">;

const topicNameOf = ({ stage }: TopicConfig): string => `agent-platform-${stage}-alarms`;

/**
 * The topic that forwards alarms by mail, where an address is configured. The recipient confirms the subscription once.
 *
 * @decided  It is not encrypted with a key: CloudWatch would need one of the account's own, and the messages hold only
 *           the name and the meaning of an alarm.
 */
export function createAlarmTopic(stack: Stack, config: TopicConfig): void {
  if (config.alarmEmail === undefined) return;
  const topic = new Topic(stack, "AlarmTopic", { topicName: topicNameOf(config), enforceSSL: true });
  const services = ["cloudwatch", ...(config.costAlarmUsd === undefined ? [] : ["budgets", "costalerts"])];
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: services.map((service) => new ServicePrincipal(`${service}.amazonaws.com`)),
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  topic.addSubscription(new EmailSubscription(config.alarmEmail));
}

/** The topics that alarms notify. Every stack knows the deployment's own topic by its name. */
export function alarmTopicArns(scope: Construct, config: TopicConfig): string[] {
  const resource = topicNameOf(config);
  const own = config.alarmEmail && Stack.of(scope).formatArn({ service: "sns", resource });
  return [own, config.alarmTopicArn].filter((arn) => arn !== undefined);
}
