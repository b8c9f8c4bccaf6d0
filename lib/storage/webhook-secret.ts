import { Aws, Fn, type Stack } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { removalOfProtected } from "./removal.ts";

const VALUE_LENGTH = 48;

/**
 * The value from which every key is derived that signs messages to receivers. Secrets Manager makes it up. It is kept with
 * the data: with another value every receiver would need another secret.
 *
 * @returns its ARN; undefined where webhooks are off, so that a deployment without them pays for no secret
 */
export function createWebhookSecret(stack: Stack, config: AppConfig): string | undefined {
  if (config.webhooks === "off") return undefined;
  const secret = new Secret(stack, "WebhookSecret", {
    // With the stack's own id: the name of a deleted secret may not be free at once.
    secretName: `agent-platform-${config.stage}-webhooks-${Fn.select(2, Fn.split("/", Aws.STACK_ID))}`,
    description: "Signs messages to receivers of callbacks and webhooks",
    generateSecretString: {
      secretStringTemplate: "{}",
      generateStringKey: "current",
      passwordLength: VALUE_LENGTH,
      excludePunctuation: true,
    },
    removalPolicy: removalOfProtected(config),
  });
  acknowledge(secret, {
    "AwsSolutions-SMG4":
      "Receivers have to be given their new secrets in between; the operator rotates it (docs/guide/webhooks.md).",
  });
  return secret.secretArn;
}
