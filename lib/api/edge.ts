import { Aws, Duration, Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  type Function as EdgeFunction,
  FunctionEventType,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { FunctionUrlOrigin, HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { FunctionUrlAuthType, type IFunction, InvokeMode } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import type { Family } from "../../shared/routes/index.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { EDGE_HEADER } from "../../shared/runtime/edge-secret.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import type { EdgeSecret } from "./edge-secret.ts";
import { familiesOf, type ServedSettings } from "./http-api.ts";
import { createViewerFunction } from "./viewer-function.ts";

/** Longest silence of an origin. Streams send a comment more often than this. */
const ORIGIN_SILENCE = Duration.seconds(60);

/** By default CloudFront caches these answers for ten seconds, and a client that polls would see them. */
const errorStatuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * One address for everything: paths that may stream go to the streaming function of their family, all others to
 * the HTTP API. Nothing is cached but the files of the page for operators. Every request to them carries the secret, without which they refuse it.
 *
 * @param streams  the streaming function of each family that has one
 * @source docs/interface/platform.md 4.1
 */
export function createEdge(
  scope: Construct,
  config: AppConfig,
  httpApi: HttpApi,
  streams: ReadonlyMap<Family, IFunction>,
  secret: EdgeSecret,
): Distribution {
  const customHeaders = { [EDGE_HEADER]: secret.value };
  const viewer = createViewerFunction(scope, config);
  const { region, urlSuffix } = Stack.of(scope);
  const api = new HttpOrigin(`${httpApi.apiId}.execute-api.${region}.${urlSuffix}`, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: ORIGIN_SILENCE,
    customHeaders,
  });
  const distribution = new Distribution(scope, "Edge", {
    comment: `agent-platform ${config.stage}`,
    defaultBehavior: behaviourTo(api, viewer),
    additionalBehaviors: {
      ...streamBehaviours(config, streams, customHeaders, viewer),
      ...(config.console === "on" && { [`${PAGE_PATH}*`]: pageBehaviour(scope, config.stage, api, viewer) }),
    },
    errorResponses: errorStatuses.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    httpVersion: HttpVersion.HTTP2_AND_3,
    priceClass: PriceClass.PRICE_CLASS_100,
    ...(config.webAclArn !== undefined && { webAclId: config.webAclArn }),
    ...nameOf(scope, config),
  });
  acknowledge(distribution, {
    "AwsSolutions-CFR1": "Where callers may be is for the owner to say, not for the product.",
    "AwsSolutions-CFR2": "A firewall costs money every hour; who wants one names it (webAclArn).",
    "AwsSolutions-CFR3": "The HTTP API and the streaming functions log every request.",
    "AwsSolutions-CFR4": "The floor for TLS can only be raised with a domain and certificate of the owner.",
  });
  return distribution;
}

/** With its own domain name the deployment has a minimum TLS version, which CloudFront's default name cannot have. */
function nameOf(
  scope: Construct,
  { domainName, certificateArn }: AppConfig,
): Pick<DistributionProps, "domainNames" | "certificate" | "minimumProtocolVersion"> {
  if (domainName === undefined || certificateArn === undefined) return {};
  return {
    domainNames: [domainName],
    certificate: Certificate.fromCertificateArn(scope, "Certificate", certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}

/** Patterns of the paths that may stream, each with its family. */
function streamPatterns(config: ServedSettings): ReadonlyMap<string, Family> {
  const patterns = Object.entries<RouteTable>(familiesOf(config)).flatMap(
    ([family, routes]) =>
      Object.values(routes)
        .filter(({ streams }) => streams)
        .map(({ path }) => [patternOf(path), family as Family] as const), // its own key
  );
  return new Map(patterns.filter(([pattern]) => !isCovered(pattern, patterns)));
}

/** Matches every path with this prefix, for any values of its variables. */
const patternOf = (path: string): string => `${path.replace(/\{[^}]+\}/g, "*")}*`.replace(/\*+$/, "*");

/** A longer pattern needs no entry beside a shorter one that matches it too. */
const isCovered = (pattern: string, all: readonly (readonly [string, Family])[]): boolean =>
  all.some(([other]) => other !== pattern && pattern.startsWith(other.slice(0, -1)));

function streamBehaviours(
  config: AppConfig,
  streams: ReadonlyMap<Family, IFunction>,
  customHeaders: Record<string, string>,
  viewer: EdgeFunction,
): Record<string, BehaviorOptions> {
  const origins = new Map([...streams].map(([family, fn]) => [family, streamOrigin(fn, customHeaders)]));
  return Object.fromEntries(
    [...streamPatterns(config)].map(([pattern, family]) => {
      const origin = origins.get(family);
      if (!origin)
        throw new Error(`${pattern} may stream, but its family ${family} has no streaming function`);
      return [pattern, behaviourTo(origin, viewer)];
    }),
  );
}

/** AWS lets any caller invoke this address; the function itself refuses requests without the secret. */
function streamOrigin(fn: IFunction, customHeaders: Record<string, string>): IOrigin {
  const url = fn.addFunctionUrl({
    authType: FunctionUrlAuthType.NONE,
    invokeMode: InvokeMode.RESPONSE_STREAM,
  });
  return new FunctionUrlOrigin(url, { readTimeout: ORIGIN_SILENCE, customHeaders });
}

/**
 * The page for operators: kept for as long as the function says, which is for good where a file's name carries a digest of
 * its content, and not at all for the page itself. Answers depend on the path and on the compression alone; nothing else of
 * a request reaches the function, so nothing else can get into what is kept.
 */
const pageBehaviour = (
  scope: Construct,
  stage: string,
  origin: IOrigin,
  viewer: EdgeFunction,
): BehaviorOptions => ({
  origin,
  allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
  cachePolicy: new CachePolicy(scope, "ConsoleCache", {
    // One of its account, without a region; two stages must not share it.
    cachePolicyName: `agent-platform-${stage}-console-${Aws.REGION}`,
    comment: "As long as the origin says",
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.days(365),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  }),
  viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
  compress: true,
  functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
});

const behaviourTo = (origin: IOrigin, viewer: EdgeFunction): BehaviorOptions => ({
  origin,
  allowedMethods: AllowedMethods.ALLOW_ALL,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  // The origins accept only their own host name.
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  // HSTS among them; what an answer says itself stays.
  responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
  viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  compress: false,
  functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
});
