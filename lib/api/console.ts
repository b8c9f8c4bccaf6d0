import { Aws, CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import { OAuthScope, type UserPool, UserPoolClient, UserPoolDomain } from "aws-cdk-lib/aws-cognito";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import { consoleEnv } from "../../shared/settings/environments.ts";
import type { AppConfig } from "../config/config.ts";
import { environmentFor } from "../functions/environment.ts";
import { createServiceFunction } from "../functions/service-function.ts";
import type { Users } from "../stacks/user-stack.ts";
import type { ApiFunctions } from "./api-functions.ts";
import { addPage, type RoutedApi } from "./http-api.ts";

/** Just below the 30 seconds after which the HTTP API times out. */
const TIMEOUT_SECONDS = 29;
/** It reads files and sends them. */
const MEMORY_MB = 512;

/** Names the page as a client of an identity provider. */
type SignIn = { readonly issuer: string | undefined; readonly clientId: string | undefined };

/** What the page connects to in addition to the API. */
type ConsoleSurroundings = {
  /** Address at which clients reach the service. */
  readonly baseUrl: string;
  /** The bucket that takes large files. */
  readonly objects: { readonly bucketName: string };
  /** The deployment's own, where it has any. */
  readonly users: Users | undefined;
  /** Of these, the one that gives tokens to connected apps asks the users' pool about their user. */
  readonly families: ApiFunctions["families"];
};

/**
 * The page for operators: one function that serves its files, behind routes that need no credential. It has no rights
 * but to write its log. Users sign in at the configured issuer, else at the deployment's own user pool, if there is one.
 */
export function createConsole(
  stack: Stack,
  config: AppConfig,
  api: RoutedApi,
  { baseUrl, objects, users, families }: ConsoleSurroundings,
): void {
  if (config.console === "off") return;
  const { issuer, clientId } = signInOf(stack, config, baseUrl, users);
  const fn = createServiceFunction(stack, "Console", config, {
    bundle: "console",
    description: "Serves the page for operators",
    timeoutSeconds: TIMEOUT_SECONDS,
    memoryMb: MEMORY_MB,
    environment: environmentFor(consoleEnv, {
      OS_ID: config.osId,
      STAGE: config.stage,
      POWERTOOLS_SERVICE_NAME: "console",
      CONSOLE_ISSUER: issuer,
      CONSOLE_CLIENT_ID: clientId,
      CONSOLE_SCOPE: config.consoleScope,
      CONSOLE_NAME: config.consoleName,
      CONSOLE_COLOUR: config.consoleColour,
      UPLOAD_ORIGIN: `https://${objects.bucketName}.s3.${stack.region}.${stack.urlSuffix}`,
    }),
  });
  addPage(api, fn);
  // A configured issuer is in its environment already. The pool's client names the address, which is made after the functions.
  if (config.mcpAuth === "builtin" && config.consoleIssuer === undefined && issuer && clientId) {
    const tokens = families["service-accounts"];
    tokens.addEnvironment("CONSOLE_ISSUER", issuer).addEnvironment("CONSOLE_CLIENT_ID", clientId);
  }
  new CfnOutput(stack, "ConsoleUrl", {
    value: `${baseUrl}${PAGE_PATH}`,
    description: "Page for operators",
  });
}

function signInOf(stack: Stack, config: AppConfig, baseUrl: string, users: Users | undefined): SignIn {
  const { consoleIssuer, consoleClientId } = config;
  if (consoleIssuer !== undefined || users === undefined)
    return { issuer: consoleIssuer, clientId: consoleClientId };
  const client = createPoolClient(stack, config, `${baseUrl}${PAGE_PATH}`, users.pool);
  return { issuer: users.issuer.issuer, clientId: client.userPoolClientId };
}

/**
 * The page as a client of the deployment's own user pool. It is in this stack because it names the address of the service,
 * which is made here; it holds nothing, so it may be replaced. A browser can keep no secret, so it has none: PKCE takes its
 * place.
 *
 * @param page  address to which users return
 */
function createPoolClient(stack: Stack, config: AppConfig, page: string, pool: UserPool): UserPoolClient {
  const { stage, mcpAuth, mcpGrantDays } = config;
  // Without a domain Cognito shows no page to sign in at. Its prefix is unique among all accounts of a region.
  const domain = new UserPoolDomain(stack, "ConsoleDomain", {
    userPool: pool,
    cognitoDomain: { domainPrefix: `agent-platform-${stage}-${Aws.ACCOUNT_ID}` },
  });
  const client = new UserPoolClient(stack, "ConsoleClient", {
    userPool: pool,
    authFlows: { userSrp: true },
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID],
      callbackUrls: [page],
      logoutUrls: [page],
    },
    accessTokenValidity: Duration.hours(1),
    // By these the pool is asked about users of connected apps, for as long as an app stays connected.
    refreshTokenValidity: mcpAuth === "builtin" ? Duration.days(mcpGrantDays) : Duration.hours(12),
    preventUserExistenceErrors: true,
    enableTokenRevocation: true,
  });
  // What the pool publishes about itself names the domain only once there is one.
  client.node.addDependency(domain);
  return client;
}
