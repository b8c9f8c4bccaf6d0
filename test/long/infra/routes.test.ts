import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { servedProtocols } from "../../../functions/platform/served-protocols.ts";
import { gatewayPath } from "../../../lib/api/http-api.ts";
import { SILENCE_MS } from "../../../shared/http/stream/with-keep-alive.ts";
import { streamingWaitLimits } from "../../../shared/http/wait-limits.ts";
import { families } from "../../../shared/routes/index.ts";
import {
  aguiOperations,
  mcpOperations,
  openaiOperations,
  uiChatOperations,
} from "../../../shared/routes/protocols/protocol-operations.ts";
import type { Route, RouteTable } from "../../../shared/routes/route.ts";
import { type Interfaces, servedFamilies } from "../../../shared/routes/served.ts";
import { bundleOf, type Resource, type Synthesized, synthesized } from "../../infra/synthesized.ts";

const rows = Object.entries<RouteTable>(families).flatMap(([family, routes]) =>
  Object.entries(routes).map(([operation, route]) => ({
    family,
    operation,
    route,
    key: `${route.method} ${gatewayPath(route.path)}`,
  })),
);
/** Local stages serve what others have to ask for. */
const EVERYTHING = {
  ...{ a2a: "true", agui: "true", chat: "true", openai: "true", mcp: "true" },
  ...{ mcpAuth: "builtin", publicUrl: "https://agents.example.com" },
};

let app: Synthesized;
beforeAll(async () => {
  app = await synthesized(EVERYTHING);
});

const routesWith = (key: string) =>
  app.ofType("AWS::ApiGatewayV2::Route").filter(({ properties }) => properties.RouteKey === key);

function onlyRoute(key: string): Resource {
  const [route, ...others] = routesWith(key);
  if (!route || others.length > 0)
    throw new Error(`${key} is there ${others.length + (route ? 1 : 0)} times`);
  return route;
}

/** Folder of the function that a text such as an integration's address refers to. */
function bundleIn(reference: string): string | undefined {
  const fn = app.ofType("AWS::Lambda::Function").find(({ id }) => reference.includes(`<${id}>`));
  return fn && bundleOf(fn);
}

function bundleBehind(route: Resource): string | undefined {
  const integration = app
    .ofType("AWS::ApiGatewayV2::Integration")
    .find(({ id }) => route.properties.Target === `integrations/<${id}>`);
  expect(integration?.properties.PayloadFormatVersion).toBe("2.0");
  return bundleIn(integration?.properties.IntegrationUri);
}

describe("the HTTP API", () => {
  test.each(rows)(
    "has one route for $operation, to its family, guarded unless public",
    ({ family, route, key }) => {
      const deployed = onlyRoute(key);
      expect(bundleBehind(deployed)).toBe(family);
      expect(deployed.properties.AuthorizationType).toBe(route.scopes === "public" ? "NONE" : "CUSTOM");
      expect(deployed.properties.AuthorizerId !== undefined).toBe(route.scopes !== "public");
    },
  );

  test("has a guarded catch-all that the platform family may be called by", () => {
    const catchAll = onlyRoute("$default");
    expect(bundleBehind(catchAll)).toBe("platform");
    expect(catchAll.properties.AuthorizerId).toBeDefined();
    const permitted = app
      .ofType("AWS::Lambda::Permission")
      .filter(({ properties }) => bundleIn(properties.FunctionName) === "platform")
      .map(({ properties }) => properties.SourceArn);
    expect(permitted).toContainEqual(expect.stringMatching(/<HttpApi\w+>\/\*\/\$default$/));
  });

  test.each(["OPTIONS /", "OPTIONS /{proxy+}"])("lets %s through to the platform family", (key) => {
    expect(bundleBehind(onlyRoute(key))).toBe("platform");
    expect(onlyRoute(key).properties.AuthorizationType).toBe("NONE");
  });

  test.each(["ANY /console", "ANY /console/{proxy+}"])("lets everybody get the page by %s", (key) => {
    expect(bundleBehind(onlyRoute(key))).toBe("console");
    expect(onlyRoute(key).properties.AuthorizationType).toBe("NONE");
  });

  test("has no other route", () => {
    const others = ["$default", "OPTIONS /", "OPTIONS /{proxy+}", "ANY /console", "ANY /console/{proxy+}"];
    expect(app.ofType("AWS::ApiGatewayV2::Route")).toHaveLength(
      new Set([...rows.map(({ key }) => key), ...others]).size,
    );
  });

  test("asks its authorizer about every request, cached by nothing", () => {
    const [authorizer, ...others] = app.ofType("AWS::ApiGatewayV2::Authorizer");
    expect(others).toEqual([]);
    expect(authorizer?.properties).toMatchObject({
      AuthorizerType: "REQUEST",
      AuthorizerPayloadFormatVersion: "2.0",
      EnableSimpleResponses: true,
      AuthorizerResultTtlInSeconds: 0,
      IdentitySource: [],
    });
    expect(bundleIn(authorizer?.properties.AuthorizerUri)).toBe("authorizer");
  });

  test("logs every request and has a limit", () => {
    const [stage] = app.ofType("AWS::ApiGatewayV2::Stage");
    expect(stage?.properties.AccessLogSettings.DestinationArn).toMatch(/<AccessLogs/);
    // `test/auth/truth-table.test.ts` holds that the authorizer's answer has them.
    expect(JSON.parse(stage?.properties.AccessLogSettings.Format)).toMatchObject({
      authorizer_ms: "$context.authorizer.elapsed_ms",
      client_ip: "$context.authorizer.address",
    });
    expect(stage?.properties.DefaultRouteSettings.ThrottlingRateLimit).toBeGreaterThan(0);
  });
});

describe("the edge", () => {
  type CacheBehaviour = { PathPattern: string; TargetOriginId: string; CachePolicyId: string };
  const config = () => app.ofType("AWS::CloudFront::Distribution")[0]?.properties.DistributionConfig;
  const domainOf = (originId: string): string =>
    config().Origins.find(({ Id }: { Id: string }) => Id === originId).DomainName;
  const matches = (pattern: string, path: string) =>
    new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(path.replaceAll(/[{}]/g, ""));
  const behaviourFor = (path: string): CacheBehaviour | undefined =>
    config().CacheBehaviors.find(({ PathPattern }: CacheBehaviour) => matches(PathPattern, path));

  const familyOfStream = (behaviour: CacheBehaviour): string | undefined => {
    const url = app
      .ofType("AWS::Lambda::Url")
      .find(({ id }) => domainOf(behaviour.TargetOriginId).includes(id));
    expect(url?.properties).toMatchObject({ AuthType: "NONE", InvokeMode: "RESPONSE_STREAM" });
    return bundleIn(url?.properties.TargetFunctionArn);
  };

  test.each(rows.filter(({ route }) => route.streams))(
    "sends $key to the streaming function of its family",
    ({ route, family }) => {
      const behaviour = behaviourFor(route.path);
      expect(behaviour && familyOfStream(behaviour)).toBe(family);
    },
  );

  test("sends no requests to the streaming function of another family", () => {
    for (const { route, family } of rows) {
      const behaviour = behaviourFor(route.path);
      if (behaviour) expect(familyOfStream(behaviour), route.path).toBe(family);
    }
  });

  test("sends everything else to the HTTP API", () => {
    expect(domainOf(config().DefaultCacheBehavior.TargetOriginId)).toMatch(/^<HttpApi\w+>\.execute-api\./);
    expect(behaviourFor("/agents/assistant")).toBeUndefined();
  });

  test("keeps no answer, not even an error, and passes on all but the host name", () => {
    const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
    const allButHost = "b689b0a8-53d0-40ab-baf2-68738e2966ac";
    const all = [config().DefaultCacheBehavior, ...config().CacheBehaviors];
    for (const behaviour of all.filter(({ PathPattern }) => PathPattern !== "/console*")) {
      expect(behaviour).toMatchObject({
        CachePolicyId: cachingDisabled,
        OriginRequestPolicyId: allButHost,
        ViewerProtocolPolicy: "redirect-to-https",
      });
      expect(behaviour.AllowedMethods).toEqual(
        expect.arrayContaining(["POST", "PATCH", "DELETE", "OPTIONS"]),
      );
    }
    const errors: { ErrorCode: number; ErrorCachingMinTTL: number }[] = config().CustomErrorResponses;
    expect(errors.map(({ ErrorCode }) => ErrorCode)).toEqual(expect.arrayContaining([404, 500, 503, 504]));
    expect(errors.every(({ ErrorCachingMinTTL }) => ErrorCachingMinTTL === 0)).toBe(true);
  });

  test("keeps of the page what its function says, by the path and the compression alone", () => {
    const behaviour = behaviourFor("/console/files/main-ABC.js");
    expect(behaviour).toMatchObject({
      PathPattern: "/console*",
      TargetOriginId: config().DefaultCacheBehavior.TargetOriginId,
      FunctionAssociations: config().DefaultCacheBehavior.FunctionAssociations,
      AllowedMethods: ["GET", "HEAD"],
      Compress: true,
      ViewerProtocolPolicy: "redirect-to-https",
    });
    expect(behaviour).not.toHaveProperty("OriginRequestPolicyId");
    const [policy, ...others] = app.ofType("AWS::CloudFront::CachePolicy");
    expect(others).toEqual([]);
    expect(behaviour?.CachePolicyId).toBe(`<${policy?.id}>`);
    const { DefaultTTL, MinTTL, MaxTTL, ParametersInCacheKeyAndForwardedToOrigin } =
      policy?.properties.CachePolicyConfig ?? {};
    expect([MinTTL, DefaultTTL, MaxTTL]).toEqual([0, 0, 31_536_000]);
    expect(ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
      EnableAcceptEncodingBrotli: true,
      EnableAcceptEncodingGzip: true,
      HeadersConfig: { HeaderBehavior: "none" },
      CookiesConfig: { CookieBehavior: "none" },
      QueryStringsConfig: { QueryStringBehavior: "none" },
    });
  });

  test("waits for longer than a stream is silent, and than a run may go on without an answer", () => {
    const waits = config().Origins.map(
      (origin: { CustomOriginConfig: { OriginReadTimeout: number } }) =>
        origin.CustomOriginConfig.OriginReadTimeout * 1000,
    );
    const { answer } = streamingWaitLimits({ remainingMs: 900_000, waitedMs: 0 });
    expect(Math.min(...waits)).toBeGreaterThan(Math.max(2 * SILENCE_MS, answer.abortAfterMs));
  });

  test("lets its function be called by its address only", () => {
    const open = app
      .ofType("AWS::Lambda::Permission")
      .filter(({ properties }) => properties.Principal === "*")
      .map(({ properties }) => properties);
    // Of each family that streams.
    expect(open).toHaveLength(4);
    expect(open).toContainEqual(expect.objectContaining({ FunctionUrlAuthType: "NONE" }));
    expect(open).toContainEqual(expect.objectContaining({ InvokedViaFunctionUrl: true }));
  });
});

test("every folder of functions/ is deployed, and every family has one", async () => {
  const folders = readdirSync(join(import.meta.dirname, "../../../functions"));
  const whole = await synthesized({ userPool: "true", ...EVERYTHING });
  const deployed = new Set(whole.ofType("AWS::Lambda::Function").map(bundleOf));
  expect([...deployed].sort()).toEqual(folders.sort());
  expect(folders).toEqual(expect.arrayContaining(Object.keys(families)));
});

test("with console=off there is no page: no route, no function, no behaviour of the edge", async () => {
  const off = await synthesized({ console: "off" });
  const routes = off.ofType("AWS::ApiGatewayV2::Route").map(({ properties }) => properties.RouteKey);
  expect(routes.filter((key) => key.includes("console"))).toEqual([]);
  expect(off.ofType("AWS::Lambda::Function").map(bundleOf)).not.toContain("console");
  expect(off.ofType("AWS::CloudFront::CachePolicy")).toEqual([]);
  expect(JSON.stringify(off.ofType("AWS::CloudFront::Distribution")[0]?.properties)).not.toContain("console");
});

describe("the interface for other agents", () => {
  const keysOf = ({ ofType }: Synthesized): string[] =>
    ofType("AWS::ApiGatewayV2::Route").map(({ properties }) => properties.RouteKey);

  test("is not there unless it is asked for: no route, no function, no behaviour of the edge", async () => {
    const off = await synthesized();
    expect(keysOf(off).filter((key) => key.includes("a2a"))).toEqual([]);
    expect(off.ofType("AWS::Lambda::Function").map(bundleOf)).not.toContain("a2a");
    const [edge] = off.ofType("AWS::CloudFront::Distribution");
    expect(JSON.stringify(edge?.properties)).not.toContain("a2a");
  });

  test("moves as a whole below another prefix", async () => {
    const moved = await synthesized({ a2a: "true", a2aPrefix: "/partners/agents-api" });
    const keys = keysOf(moved);
    expect(keys.filter((key) => key.includes(" /a2a"))).toEqual([]);
    const own = Object.values(families.a2a).map(
      ({ method, path }) => `${method} ${gatewayPath(path).replace("/a2a", "/partners/agents-api")}`,
    );
    expect(keys).toEqual(expect.arrayContaining(own));
    const [edge] = moved.ofType("AWS::CloudFront::Distribution");
    expect(JSON.stringify(edge?.properties)).toContain("/partners/agents-api/agents/*");
  });

  test.each(["/agents", "a2a", "/", "/a b", "/queue/x"])("is refused below %s", async (a2aPrefix) => {
    await expect(synthesized({ a2aPrefix })).rejects.toThrow(/a2aPrefix/);
  });
});

describe.each([
  ["agui", aguiOperations, "/agui"],
  ["mcp", mcpOperations, "/mcp"],
  ["chat", uiChatOperations, "/agents/*/chat"],
  ["openai", openaiOperations, "/v1/chat/completions"],
] as const)("the interface %s", (setting, operations, part) => {
  const rows: Readonly<Record<string, Route>> = families.runs;
  const keys = operations.map((name) => `${rows[name]?.method} ${rows[name]?.path}`);
  const routesOf = ({ ofType }: Synthesized): string[] =>
    ofType("AWS::ApiGatewayV2::Route").map(({ properties }) => properties.RouteKey);
  const edgeOf = ({ ofType }: Synthesized): string =>
    JSON.stringify(ofType("AWS::CloudFront::Distribution")[0]?.properties);
  /** What the function that answers `/info` says, by its own variables. */
  const infoOf = ({ ofType }: Synthesized): boolean => {
    const platform = ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "platform");
    const interfaces = platform?.variables as Interfaces | undefined; // its schema has them
    if (!interfaces) throw new Error("nothing answers /info");
    const info = servedProtocols(servedFamilies(interfaces));
    return setting === "mcp" ? info.mcp.enabled : info.doors[setting];
  };

  test("is not there unless it is asked for, and needs no function of its own", async () => {
    const off = await synthesized();
    const on = await synthesized({ [setting]: "true" });
    expect(routesOf(off).filter((key) => keys.includes(key))).toEqual([]);
    expect(edgeOf(off)).not.toContain(`"${part}*"`);
    expect(routesOf(on)).toEqual(expect.arrayContaining(keys));
    expect(edgeOf(on)).toContain(`"${part}*"`);
    expect([infoOf(off), infoOf(on)]).toEqual([false, true]);
    const functions = ({ ofType }: Synthesized) => ofType("AWS::Lambda::Function").length;
    expect(functions(on)).toBe(functions(off));
  });
});
