import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { AppConfig } from "../config/config.ts";

type Told = Pick<AppConfig, "stage" | "alarmEmail" | "alarmTopicArn">;

const topicNameOf = ({ stage }: Told): string => `agent-platform-${stage}-alarms`;

/**
 * The topic that passes alarms on by mail, where an address is configured. Who reads it confirms the subscription once.
 *
 * @decided  It is not encrypted with a key: CloudWatch would need one of the account's own, and what it says is the name
 *           and the meaning of an alarm.
 */
export function createAlarmTopic(stack: Stack, config: Told): void {
  if (config.alarmEmail === undefined) return;
  const topic = new Topic(stack, "AlarmTopic", { topicName: topicNameOf(config), enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  topic.addSubscription(new EmailSubscription(config.alarmEmail));
}

/** Everybody whom alarms tell. The topic of the deployment is known by its name in every stack. */
export function alarmTopicArns(scope: Construct, config: Told): string[] {
  const resource = topicNameOf(config);
  const own = config.alarmEmail && Stack.of(scope).formatArn({ service: "sns", resource });
  return [own, config.alarmTopicArn].filter((arn) => arn !== undefined);
}
