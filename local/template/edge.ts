import * as v from "valibot";
import { StartupError } from "../startup-error.ts";
import { type FunctionModel, functionNamed } from "./functions.ts";
import { hostLabel } from "./names.ts";
import type { Resource } from "./stack.ts";

export type ApiRoute = {
  /** `GET /things/{id}` or `$default`. */
  readonly key: string;
  readonly function: FunctionModel;
  readonly authorizer: FunctionModel | undefined;
};

/** The target of requests whose path matches the pattern: the HTTP API, or a function's URL (streaming). */
export type Behaviour = {
  readonly pathPattern: string;
  readonly target: "api" | FunctionModel;
  /** Set on every request to the target, instead of the client's own. They may refer to secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requests with another method are refused at the edge; absent where there is none. */
  readonly methods?: readonly string[];
  /** Source of a function that may change the client's request first. */
  readonly viewerRequest?: string;
};

export type EdgeModel = {
  readonly apiId: string;
  readonly routes: readonly ApiRoute[];
  /** In order of precedence. The last one matches every path. */
  readonly behaviours: readonly Behaviour[];
};

/** Reads the HTTP API and the CloudFront distribution in front of it. */
export function edgeModel(resources: readonly Resource[], functions: readonly FunctionModel[]): EdgeModel {
  const api = resources.find(({ type }) => type === "AWS::ApiGatewayV2::Api");
  return {
    apiId: hostLabel(api?.name ?? "local"),
    routes: apiRoutes(resources, functions),
    behaviours: behaviours(resources, functions),
  };
}

const Route = v.object({
  RouteKey: v.string(),
  Target: v.string(),
  AuthorizerId: v.optional(v.string()),
});
const Integration = v.object({ IntegrationUri: v.string(), PayloadFormatVersion: v.literal("2.0") });
const Authorizer = v.object({
  AuthorizerUri: v.string(),
  AuthorizerPayloadFormatVersion: v.literal("2.0"),
  EnableSimpleResponses: v.literal(true),
  AuthorizerResultTtlInSeconds: v.optional(v.literal(0)),
  IdentitySource: v.optional(v.pipe(v.array(v.string()), v.maxLength(0))),
});

function apiRoutes(resources: readonly Resource[], functions: readonly FunctionModel[]): ApiRoute[] {
  const integrations = named(resources, "AWS::ApiGatewayV2::Integration");
  const authorizers = named(resources, "AWS::ApiGatewayV2::Authorizer");
  return resources
    .filter(({ type }) => type === "AWS::ApiGatewayV2::Route")
    .map(({ properties }) => {
      const route = v.parse(Route, properties);
      const integration = read(Integration, integrations.get(route.Target.replace(/^integrations\//, "")));
      const authorizer = route.AuthorizerId && read(Authorizer, authorizers.get(route.AuthorizerId));
      return {
        key: route.RouteKey,
        function: functionNamed(functions, integration.IntegrationUri),
        authorizer: authorizer ? functionNamed(functions, authorizer.AuthorizerUri) : undefined,
      };
    });
}

const CacheBehaviour = v.object({
  TargetOriginId: v.string(),
  AllowedMethods: v.optional(v.array(v.string()), ["GET", "HEAD"]),
  FunctionAssociations: v.optional(
    v.pipe(
      v.array(v.object({ EventType: v.literal("viewer-request"), FunctionARN: v.string() })),
      v.maxLength(1),
    ),
    [],
  ),
});
const Origin = v.object({
  Id: v.string(),
  DomainName: v.string(),
  OriginCustomHeaders: v.optional(v.array(v.object({ HeaderName: v.string(), HeaderValue: v.string() })), []),
});
const Distribution = v.object({
  DistributionConfig: v.object({
    CacheBehaviors: v.optional(v.array(v.object({ PathPattern: v.string(), ...CacheBehaviour.entries })), []),
    DefaultCacheBehavior: CacheBehaviour,
    Origins: v.array(Origin),
  }),
});
const EdgeFunction = v.object({ FunctionCode: v.string() });
const FunctionUrl = v.object({ TargetFunctionArn: v.string() });

function behaviours(resources: readonly Resource[], functions: readonly FunctionModel[]): Behaviour[] {
  const distribution = resources.find(({ type }) => type === "AWS::CloudFront::Distribution");
  if (!distribution) return [{ pathPattern: "*", target: "api", headers: {} }];
  const { CacheBehaviors, DefaultCacheBehavior, Origins } = read(
    Distribution,
    distribution,
  ).DistributionConfig;
  const targetOf = (domain: string): Behaviour["target"] => {
    const [label, kind] = domain.split(".");
    if (kind === "execute-api") return "api";
    const url = resources.find(({ type, name }) => type === "AWS::Lambda::Url" && hostLabel(name) === label);
    if (kind !== "lambda-url" || !url)
      throw new StartupError(
        `The distribution's origin ${domain} is neither the HTTP API nor a function URL of the template.`,
      );
    return functionNamed(functions, read(FunctionUrl, url).TargetFunctionArn);
  };
  const behaviourOf = (
    pathPattern: string,
    {
      TargetOriginId,
      AllowedMethods,
      FunctionAssociations: [associated],
    }: v.InferOutput<typeof CacheBehaviour>,
  ): Behaviour => {
    const origin = Origins.find(({ Id }) => Id === TargetOriginId);
    const headers = (origin?.OriginCustomHeaders ?? []).map(
      ({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue] as const,
    );
    const fn =
      associated &&
      resources.find(
        ({ type, name }) =>
          type === "AWS::CloudFront::Function" && `${name}.FunctionARN` === associated.FunctionARN,
      );
    return {
      pathPattern,
      target: targetOf(origin?.DomainName ?? ""),
      headers: Object.fromEntries(headers),
      methods: AllowedMethods,
      ...(associated && { viewerRequest: read(EdgeFunction, fn).FunctionCode }),
    };
  };
  return [
    ...CacheBehaviors.map((behaviour) => behaviourOf(behaviour.PathPattern, behaviour)),
    behaviourOf("*", DefaultCacheBehavior),
  ];
}

const named = (resources: readonly Resource[], type: string): Map<string, Resource> =>
  new Map(
    resources.filter((resource) => resource.type === type).map((resource) => [resource.name, resource]),
  );

function read<S extends v.GenericSchema>(schema: S, resource: Resource | undefined): v.InferOutput<S> {
  const parsed = v.safeParse(schema, resource?.properties);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new StartupError(
    `The local platform cannot emulate ${resource?.id ?? "a missing resource"}: ${v.getDotPath(issue) ?? ""} ${issue.message}`,
  );
}
