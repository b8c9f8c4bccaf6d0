import { CfnOutput, Duration, Stack } from "aws-cdk-lib";
import { FeaturePlan, LambdaVersion, UserPool, UserPoolOperation } from "aws-cdk-lib/aws-cognito";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { DEPLOYMENT_CLAIM, deploymentName } from "../../shared/runtime/deployment-claim.ts";
import { preTokenEnv } from "../../shared/settings/environments.ts";
import { createAlarm, errorsOf } from "../alarms/alarm.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { environmentFor } from "../functions/environment.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import { encryptWith } from "../storage/customer-key.ts";
import { removalOfProtected } from "../storage/removal.ts";

/** Cognito's limit for a trigger. */
const TRIGGER_TIMEOUT_SECONDS = 5;
const TRIGGER_MEMORY_MB = 256;

/** An issuer in the format of those in `JWT_ISSUERS`. */
export type PoolIssuer = {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly audience: string;
  readonly claims: { readonly audience: typeof DEPLOYMENT_CLAIM };
};

/** The deployment's own users. */
export type Users = { readonly pool: UserPool; readonly issuer: PoolIssuer };

/**
 * The deployment's own users, for owners without an identity provider: a Cognito user pool whose access tokens carry
 * the groups of their user as scopes. It must survive a redeploy, so it is a stack of its own.
 *
 * @param key  encrypts the trigger's log, if set
 * @returns the pool, also as an issuer; undefined where none is configured
 */
export function createUserStack(
  scope: Construct,
  config: AppConfig,
  key: IKey | undefined,
): Users | undefined {
  if (config.userPool === "false") return undefined;
  const stack = new Stack(scope, "Users", {
    stackName: `agent-platform-${config.stage}-users`,
    description: "Users of the agent platform",
  });
  encryptWith(stack, key);
  const pool = createPool(stack, config);
  const client = pool.addClient("Client", {
    authFlows: { userSrp: true, adminUserPassword: true },
    accessTokenValidity: Duration.hours(1),
    preventUserExistenceErrors: true,
  });
  new CfnOutput(stack, "UserPoolId", { value: pool.userPoolId });
  new CfnOutput(stack, "UserPoolClientId", { value: client.userPoolClientId });
  // A version before this one read it in the other stack: CloudFormation refuses to take an export away that is in use.
  stack.exportValue(client.userPoolClientId);
  const address = `https://cognito-idp.${stack.region}.${stack.urlSuffix}/${pool.userPoolId}`;
  const issuer = {
    issuer: address,
    jwks_uri: `${address}/.well-known/jwks.json`,
    // Only access tokens have this claim, so ID tokens are refused as credentials.
    audience: deploymentName(config.stage),
    claims: { audience: DEPLOYMENT_CLAIM },
  } as const;
  return { pool, issuer };
}

function createPool(stack: Stack, config: AppConfig): UserPool {
  const { disposable } = config;
  const pool = new UserPool(stack, "Pool", {
    // An admin invites users.
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    // Needed to change access tokens; free below 10 000 users a month.
    featurePlan: FeaturePlan.ESSENTIALS,
    passwordPolicy: {
      minLength: 12,
      requireDigits: true,
      requireLowercase: true,
      requireSymbols: true,
      requireUppercase: true,
    },
    deletionProtection: !disposable,
    removalPolicy: removalOfProtected(config),
  });
  const trigger = createServiceFunction(stack, "PreToken", config, {
    bundle: "pre-token",
    description: "Puts the groups of a user into its tokens, as scopes, and the deployment that they are for",
    timeoutSeconds: TRIGGER_TIMEOUT_SECONDS,
    memoryMb: TRIGGER_MEMORY_MB,
    environment: environmentFor(preTokenEnv, { STAGE: config.stage }),
  });
  const alarm = errorsOf(trigger, "Tokens of users cannot be made.", "users-cannot-sign-in");
  createAlarm(stack, "PreTokenErrorsAlarm", config, alarm);
  pool.addTrigger(UserPoolOperation.PRE_TOKEN_GENERATION_CONFIG, trigger, LambdaVersion.V2_0);
  acknowledge(pool, {
    "AwsSolutions-COG2": "Whether users need a second factor is for the owner of the stage to say.",
    "AwsSolutions-COG3": "Threat protection is another, dearer plan.",
    "AwsSolutions-COG8": "What the dearer plan adds is for the owner of the stage to say.",
  });
  return pool;
}
