import { CfnResource, Duration, NestedStack, Stack } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  DomainName,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import type { Family } from "../../shared/routes/index.ts";
import { variableName } from "../../shared/routes/matching/matcher.ts";
import type { Route } from "../../shared/routes/route.ts";
import { servedFamilies } from "../../shared/routes/served.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { createLogGroup } from "../functions/service-function.ts";

/** One line of JSON for each request, without the query and without credentials. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    request_id: "$context.requestId",
    at: "$context.requestTimeEpoch",
    method: "$context.httpMethod",
    route: "$context.routeKey",
    path: "$context.path",
    status: "$context.status",
    latency_ms: "$context.responseLatency",
    integration_ms: "$context.integrationLatency",
    // Of the authorizer's own figures: an HTTP API, other than a REST API, has no variable for its latency.
    authorizer_ms: "$context.authorizer.elapsed_ms",
    source_ip: "$context.identity.sourceIp",
    // Behind CloudFront the one above is CloudFront's; public routes have no authorizer that checks the other.
    client_ip: "$context.authorizer.address",
    error: "$context.error.message",
  }),
);

/** The HTTP API, and the stack that its routes are made in. */
export type RoutedApi = {
  readonly httpApi: HttpApi;
  readonly routes: NestedStack;
};

export type HttpFunctions = {
  readonly authorizer: IFunction;
  /** The function of each family that is served. */
  readonly families: Readonly<Record<Exclude<Family, "a2a">, IFunction>> & { readonly a2a?: IFunction };
};

/** The settings of the interfaces that a deployment may leave out. */
export type ServedSettings = Pick<
  AppConfig,
  "a2a" | "a2aPrefix" | "agui" | "chat" | "mcp" | "mcpAuth" | "openai"
>;

/** The route tables of a deployment, by family. */
export const familiesOf = ({ a2a, a2aPrefix, agui, chat, mcp, mcpAuth, openai }: ServedSettings) =>
  servedFamilies({
    ...{ A2A_ENABLED: a2a, A2A_PREFIX: a2aPrefix, AGUI_ENABLED: agui, UI_CHAT_ENABLED: chat },
    ...{ MCP_ENABLED: mcp, OPENAI_ENABLED: openai, MCP_AUTH: mcpAuth },
  });

/**
 * The HTTP API: a route for each row of the route table, to the function of its family; rows that the gateway cannot
 * distinguish share one. Requests without a row go to the platform family, which answers 401, 404 and 405 with our own
 * bodies, and preflight requests.
 *
 * The routes are in a nested stack: a stack may have 500 resources, of which they would be every third.
 *
 * @param domain  the name at which clients reach it, where it is not behind CloudFront
 */
export function createHttpApi(
  scope: Construct,
  config: AppConfig,
  functions: HttpFunctions,
  domain: DomainName | undefined,
): RoutedApi {
  const httpApi = new HttpApi(scope, "HttpApi", {
    apiName: `agent-platform-${config.stage}`,
    createDefaultStage: false,
  });
  createStage(scope, httpApi, config, domain);
  const nested = new NestedStack(scope, "Routes", { description: "Routes of the agent platform's API" });
  const authorizer = createAuthorizer(functions.authorizer);
  const open = new HttpNoneAuthorizer();
  const add = (id: string, routeKey: HttpRouteKey, to: HttpLambdaIntegration, guard: IHttpRouteAuthorizer) =>
    new HttpRoute(nested, id, { httpApi, routeKey, integration: to, authorizer: guard });

  const platform = integrationOf("platform", functions.families.platform);
  const known = new Set<string>();
  for (const [family, routes] of Object.entries(familiesOf(config))) {
    const fn = functions.families[family as Family]; // its own key
    if (!fn) throw new Error(`the family ${family} is served, and has no function`);
    const to = family === "platform" ? platform : integrationOf(family, fn);
    for (const [operation, route] of Object.entries<Route>(routes)) {
      const key = HttpRouteKey.with(gatewayPath(route.path), route.method as HttpMethod); // the same names
      if (known.has(key.key)) continue;
      known.add(key.key);
      const added = add(operation, key, to, route.scopes === "public" ? open : authorizer);
      if (route.scopes === "public") acknowledgeOpen(added, "This row of the route table is public.");
    }
  }
  add("catchAll", HttpRouteKey.DEFAULT, platform, authorizer);
  permitCatchAll(httpApi, functions.families.platform);
  for (const [id, path] of [
    ["preflight", "/{proxy+}"],
    ["preflightRoot", "/"],
  ] as const) {
    const added = add(id, HttpRouteKey.with(path, "OPTIONS" as HttpMethod), platform, open);
    acknowledgeOpen(added, "Browsers send preflight requests without a credential.");
  }
  return { httpApi, routes: nested };
}

/** As many requests a second as the control plane takes of an account, about: one resource is one request. */
const LANES = 8;

/**
 * Has the API's resources made one after the other in a few lanes. Without it CloudFormation would ask for all of them at
 * once, some two hundred, of a control plane that takes about ten requests a second of an account, and might give up.
 * Called when all of them are there.
 *
 * @source API Gateway developer guide, "Quotas for creating, deploying and managing an API"
 */
export function paceRoutes({ routes }: RoutedApi): void {
  const ofApi = routes.node
    .findAll()
    .filter((one) => CfnResource.isCfnResource(one))
    .filter(({ cfnResourceType }) => cfnResourceType.startsWith("AWS::ApiGatewayV2::"));
  // What routes need comes before them: a lane in any other order could be a circle.
  const isRoute = ({ cfnResourceType }: CfnResource) => cfnResourceType === "AWS::ApiGatewayV2::Route";
  const ordered = [...ofApi.filter((one) => !isRoute(one)), ...ofApi.filter(isRoute)];
  for (const [at, resource] of ordered.entries()) {
    const before = ordered[at - LANES];
    if (before) resource.addResourceDependency(before);
  }
}

/**
 * Lets everybody get the page for operators, with every method: its function refuses all but GET and HEAD itself, with the
 * headers that the page's other answers have.
 */
export function addPage({ httpApi, routes }: RoutedApi, fn: IFunction): void {
  const integration = integrationOf("console", fn);
  for (const [id, path] of [
    ["consolePage", PAGE_PATH],
    ["consoleBelow", `${PAGE_PATH}/{proxy+}`],
  ] as const) {
    const routeKey = HttpRouteKey.with(path, HttpMethod.ANY);
    const authorizer = new HttpNoneAuthorizer();
    const route = new HttpRoute(routes, id, { httpApi, routeKey, integration, authorizer });
    acknowledgeOpen(
      route,
      "The page's files are public; what it shows it asks the API for, with a credential.",
    );
  }
}

/** The decision depends on the whole request, so nothing is cached and no header is required as identity source. */
const createAuthorizer = (fn: IFunction) =>
  new HttpLambdaAuthorizer("Authorizer", fn, {
    responseTypes: [HttpLambdaResponseType.SIMPLE],
    identitySource: [],
    resultsCacheTtl: Duration.seconds(0),
  });

/** One permission for a whole family: permissions for each route would exceed the size limit of its function's policy. */
const integrationOf = (family: string, fn: IFunction) =>
  new HttpLambdaIntegration(`${family}Integration`, fn, { scopePermissionToRoute: false });

/** The source ARN of a catch-all request has one part fewer than the permission of an integration covers. */
const permitCatchAll = (httpApi: HttpApi, fn: IFunction): void =>
  fn.addPermission("CatchAll", {
    principal: new ServicePrincipal("apigateway.amazonaws.com"),
    sourceArn: Stack.of(httpApi).formatArn({
      service: "execute-api",
      resource: httpApi.apiId,
      resourceName: "*/$default",
    }),
  });

function createStage(
  scope: Construct,
  httpApi: HttpApi,
  config: AppConfig,
  domainName: DomainName | undefined,
): void {
  new HttpStage(scope, "HttpStage", {
    httpApi,
    stageName: "$default",
    autoDeploy: true,
    throttle: { rateLimit: config.requestsPerSecond, burstLimit: config.requestBurst },
    accessLogSettings: {
      destination: new LogGroupLogDestination(createLogGroup(scope, "AccessLogs", config)),
      format: accessLogFormat,
    },
    ...(domainName && { domainMapping: { domainName } }),
  });
}

/** A domain name of the HTTP API itself; undefined where CloudFront has the name, or none is configured. */
export function createApiDomain(
  scope: Construct,
  { edge, domainName, certificateArn }: AppConfig,
): DomainName | undefined {
  if (edge !== "http-api" || domainName === undefined || certificateArn === undefined) return undefined;
  return new DomainName(scope, "ApiDomain", {
    domainName,
    certificate: Certificate.fromCertificateArn(scope, "Certificate", certificateArn),
  });
}

const acknowledgeOpen = (route: HttpRoute, reason: string): void =>
  acknowledge(route, { "AwsSolutions-APIG4": reason });

/**
 * A row's path as a route of the HTTP API. Whether an HTTP API accepts a colon in a route is not documented, so a segment
 * with one becomes a variable there, which several rows share; the family's own matcher distinguishes them.
 */
export const gatewayPath = (path: string): string => path.split("/").map(gatewaySegment).join("/");

function gatewaySegment(segment: string): string {
  const name = variableName(segment);
  if (name !== undefined) return `{${name}}`;
  return segment.includes(":") ? "{verb}" : segment;
}
