import { Aws, Fn, RemovalPolicy, type Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";

/** What CloudFront and the functions behind it share. */
export type EdgeSecret = {
  readonly arn: string;
  /** A reference that CloudFormation resolves when it writes the distribution: the template never holds the value. */
  readonly value: string;
};

const VALUE_LENGTH = 48;

/**
 * A value that Secrets Manager makes up. CloudFront adds it to every request to its origins, so that they can refuse
 * whoever calls them directly. `scripts/rotate-edge-secret.ts` replaces it.
 *
 * @returns undefined where clients call the HTTP API itself
 */
export function createEdgeSecret(stack: Stack, { edge, stage }: AppConfig): EdgeSecret | undefined {
  if (edge !== "cloudfront") return undefined;
  const secret = new Secret(stack, "EdgeSecret", {
    // With the stack's own id: the name of a deleted secret may not be free at once.
    secretName: `agent-platform-${stage}-edge-${Fn.select(2, Fn.split("/", Aws.STACK_ID))}`,
    description: "Proves to the origins that a request came through CloudFront",
    generateSecretString: {
      secretStringTemplate: "{}",
      generateStringKey: "current",
      passwordLength: VALUE_LENGTH,
      excludePunctuation: true,
    },
    // It protects nothing but this stack's addresses.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(secret, {
    "AwsSolutions-SMG4":
      "A rotation updates the distribution in between, for minutes; the operator starts it (docs/deploy.md).",
  });
  return { arn: secret.secretArn, value: secret.secretValueFromJson("current").unsafeUnwrap() };
}

/** Lets a function read the secret, without the further rights that CDK's own grant gives. */
export const allowReading = (fn: IFunction, { arn }: EdgeSecret): void =>
  fn.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ["secretsmanager:GetSecretValue"],
      resources: [arn],
    }),
  );
