import { CfnOutput, Stack } from "aws-cdk-lib";
import type { AppConfig } from "../config/config.ts";

/**
 * ARNs of the configured secrets of the chat platforms. Secrets Manager appends six random characters to every ARN,
 * which `??????` matches.
 */
export function chatSecretArns(
  scope: Stack,
  { whatsappSecret, telegramSecret, slackSecret }: AppConfig,
): string[] {
  const { partition, region, account } = Stack.of(scope);
  return [whatsappSecret, telegramSecret, slackSecret].flatMap((name) =>
    name === undefined ? [] : [`arn:${partition}:secretsmanager:${region}:${account}:secret:${name}-??????`],
  );
}

/** Outputs with the webhook addresses of the enabled chat platforms. */
export function createWebhookOutputs(
  scope: Stack,
  { whatsapp, telegram, slack }: AppConfig,
  baseUrl: string,
): void {
  if (whatsapp !== undefined) {
    new CfnOutput(scope, "WhatsappWebhookUrl", {
      value: `${baseUrl}/whatsapp/webhook`,
      description: "Callback address for the configuration of the WhatsApp app",
    });
  }
  if (telegram !== undefined) {
    new CfnOutput(scope, "TelegramWebhookUrl", {
      value: `${baseUrl}/telegram/webhook`,
      description: "Address for setWebhook of the Telegram bot",
    });
  }
  if (slack !== undefined) {
    new CfnOutput(scope, "SlackEventsUrl", {
      value: `${baseUrl}/slack/events`,
      description: "Request URL of the event subscriptions of the Slack app",
    });
    new CfnOutput(scope, "SlackInteractionsUrl", {
      value: `${baseUrl}/slack/interactions`,
      description: "Request URL of the interactivity of the Slack app",
    });
  }
}
