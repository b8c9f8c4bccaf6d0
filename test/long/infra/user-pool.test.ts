import { describe, expect, test } from "vitest";
import { createAuthorizer } from "../../../shared/auth/authorize.ts";
import { parseIssuers } from "../../../shared/auth/identify/issuers.ts";
import { anIssuer } from "../../auth/an-issuer.ts";
import { circlesIn } from "../../infra/circles.ts";
import { bundleOf, synthesized } from "../../infra/synthesized.ts";

// The trigger reads its environment when it is loaded.
process.env.STAGE = "prod";
const { handler } = await import("../../../functions/pre-token/index.ts");

const issuers = [{ issuer: "https://id.example", jwks_uri: "https://id.example/jwks.json" }];
const without = await synthesized({ stage: "prod", jwtIssuers: issuers });
const withPool = await synthesized({
  stage: "prod",
  jwtIssuers: issuers,
  userPool: "true",
  requestsPerSecond: 50,
  requestBurst: 70,
});
const [pool] = withPool.ofType("AWS::Cognito::UserPool");
const authorizer = withPool.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "authorizer");

describe("a user pool", () => {
  test("is there only when it is asked for", () => {
    expect(without.ofType("AWS::Cognito::UserPool")).toEqual([]);
    expect(withPool.ofType("AWS::Cognito::UserPool")).toHaveLength(1);
  });

  test("is kept, signs no user up, and changes access tokens by its trigger", () => {
    expect(pool?.properties).toMatchObject({
      DeletionProtection: "ACTIVE",
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UserPoolTier: "ESSENTIALS",
      LambdaConfig: { PreTokenGenerationConfig: { LambdaVersion: "V2_0" } },
    });
    const trigger = withPool.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "pre-token");
    expect(pool?.properties.LambdaConfig.PreTokenGenerationConfig.LambdaArn).toContain(trigger?.id);
  });

  test("is one more issuer, beside those that are configured, and its ID tokens are no credential", () => {
    const { JWT_ISSUERS = "", USER_POOL_ISSUER } = authorizer?.variables ?? {};
    const [first, ...others] = parseIssuers(JWT_ISSUERS);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ issuer: "https://id.example" });
    const [second] = parseIssuers(`[${USER_POOL_ISSUER}]`);
    expect(second?.issuer).toMatch(/^https:\/\/cognito-idp\.<AWS::Region>\..*<import .*Pool/);
    expect(second?.jwks_uri).toBe(`${second?.issuer}/.well-known/jwks.json`);
    expect(second?.claims.audience).toBe("deployment");
    expect(second?.audience).toBe("agent-platform-prod");
  });
});

describe("the trigger of the pool", () => {
  /** What the trigger adds to the access token of a user with these groups; the rest of the event is Cognito's. */
  const added = async (groupsToOverride?: string[]) => {
    const event = { request: { groupConfiguration: { groupsToOverride } } };
    const answered = await handler(event as unknown as Parameters<typeof handler>[0]);
    const { accessTokenGeneration, ...rest } = answered.response.claimsAndScopeOverrideDetails;
    expect(rest).toEqual({});
    return accessTokenGeneration.claimsToAddOrOverride;
  };

  test("makes the groups of a user the scopes of its access tokens, and names the deployment in them", async () => {
    const groups = ["agents:run", "sessions:read"];
    expect(await added(groups)).toEqual({ scopes: groups, deployment: "agent-platform-prod" });
  });

  test("gives a user without groups no scope", async () => {
    expect((await added()).scopes).toEqual([]);
  });

  describe("makes tokens of which the authorizer", async () => {
    const poolIssuer = JSON.parse(authorizer?.variables.USER_POOL_ISSUER ?? "");
    const keys = await anIssuer();
    const { jwks_uri: _, ...configured } = poolIssuer;
    const authorize = createAuthorizer({
      // As it is deployed, with keys that this test has.
      issuers: parseIssuers(JSON.stringify([{ ...configured, jwks: { keys: [keys.jwk] } }])),
      adminScope: "platform:admin",
      now: Date.now,
    });
    const claims = async (more: object) => ({
      iss: poolIssuer.issuer,
      sub: "maria",
      token_use: "access",
      ...(await added(["agents:run"])),
      ...more,
    });
    const ask = async (tokenClaims: object, signer = keys) =>
      authorize({
        method: "POST",
        rawPath: "/agents/a1/runs",
        headers: { authorization: await signer.sign({ ...tokenClaims }) },
      });
    const allowed = { outcome: "allow", principal: { user_id: "maria", scopes: ["agents:run"] } };

    test.each(["the pool's first client", "the console"])("accepts access tokens of %s", async (client) => {
      expect(await ask(await claims({ client_id: client }))).toMatchObject(allowed);
    });

    test("refuses ID tokens, of whichever client", async () => {
      const idToken = {
        iss: poolIssuer.issuer,
        sub: "maria",
        token_use: "id",
        "cognito:groups": ["agents:run"],
      };
      for (const aud of ["the console", "agent-platform-prod"])
        expect(await ask({ ...idToken, aud })).toMatchObject({ outcome: "unauthenticated" });
    });

    test("refuses tokens for another deployment, and those of another pool", async () => {
      const other = await claims({ deployment: "agent-platform-dev" });
      expect(await ask(other)).toMatchObject({ outcome: "unauthenticated" });
      expect(await ask(await claims({}), await anIssuer())).toMatchObject({ outcome: "unauthenticated" });
      const stranger = await claims({ iss: "https://cognito-idp.eu-west-1.amazonaws.com/other" });
      expect(await ask(stranger)).toMatchObject({ outcome: "unauthenticated" });
    });
  });
});

describe.each([
  ["cloudfront", /^https:\/\/<Edge\w+>\.DomainName\/console$/],
  ["http-api", /^<HttpApi\w+>\.ApiEndpoint\/console$/],
])("with the user pool and edge=%s the console", (edge, page) => {
  // CloudFormation refuses resources that wait for each other; so does the synthesis, for stacks.
  const appOf = (more: object = {}) => synthesized({ stage: "prod", userPool: "true", edge, ...more });
  const own = (app: typeof withPool) =>
    app.ofType("AWS::Cognito::UserPoolClient").filter(({ stack }) => stack === "agent-platform-prod");
  const variablesOf = (app: typeof withPool) =>
    app.ofType("AWS::Lambda::Function").find((fn) => bundleOf(fn) === "console")?.variables;

  test("is a public client of the pool, with the code flow and its own page as the only address", async () => {
    const app = await appOf();
    const [client, ...others] = own(app);
    expect(others).toEqual([]);
    expect(client?.properties).toMatchObject({
      AllowedOAuthFlows: ["code"],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthScopes: ["openid"],
      PreventUserExistenceErrors: "ENABLED",
    });
    expect(client?.properties.GenerateSecret ?? false).toBe(false);
    const [callback, ...more] = client?.properties.CallbackURLs ?? [];
    expect([more, client?.properties.LogoutURLs]).toEqual([[], [callback]]);
    expect(callback).toMatch(page);
    expect(variablesOf(app)).toMatchObject({
      CONSOLE_CLIENT_ID: `<${client?.id}>`,
      CONSOLE_ISSUER: expect.stringMatching(/^https:\/\/cognito-idp\./),
      CONSOLE_SCOPE: "openid",
    });
  });

  test("signs users in for as long as apps stay connected, about which the function asks that gives them tokens", async () => {
    const app = await appOf({
      mcp: "true",
      mcpAuth: "builtin",
      mcpGrantDays: 30,
      publicUrl: "https://a.example",
    });
    const [client] = own(app);
    expect(client?.properties).toMatchObject({ RefreshTokenValidity: 30 * 24 * 60 });
    const fn = app.ofType("AWS::Lambda::Function").find((one) => bundleOf(one) === "service-accounts");
    expect(fn?.variables).toMatchObject({
      ...{ CONSOLE_CLIENT_ID: `<${client?.id}>`, USER_POOL_ISSUER: expect.any(String) },
      CONSOLE_ISSUER: expect.stringMatching(/^https:\/\/cognito-idp\./),
    });
    expect(circlesIn(app)).toEqual([]);
  });

  test("has a page to sign in at whose name no other account has", async () => {
    const [domain] = (await appOf()).ofType("AWS::Cognito::UserPoolDomain");
    expect(domain?.properties.Domain).toBe("agent-platform-prod-<AWS::AccountId>");
  });

  test("waits for nothing that waits for it", async () => {
    const circle = {
      a: { Type: "A", Properties: { Is: { Ref: "b" } } },
      b: { Type: "B", Properties: { Is: { "Fn::GetAtt": ["c", "Arn"] } } },
      c: { Type: "C", DependsOn: ["a"] },
    };
    const circular = { name: "circular", assetFolder: "", template: { Resources: circle } };
    expect(circlesIn({ stacks: [circular] })).toEqual([["a", "b", "c"]]);
    expect(circlesIn(await appOf())).toEqual([]);
  });

  test("signs in at the configured issuer instead, where there is one, and at none where it is off", async () => {
    const elsewhere = await appOf({ consoleIssuer: "https://id.example", consoleClientId: "c-1" });
    expect(own(elsewhere)).toEqual([]);
    expect(variablesOf(elsewhere)).toMatchObject({
      CONSOLE_ISSUER: "https://id.example",
      CONSOLE_CLIENT_ID: "c-1",
    });
    const off = await appOf({ console: "off" });
    expect([own(off), variablesOf(off)]).toEqual([[], undefined]);
    expect(off.ofType("AWS::Cognito::UserPoolDomain")).toEqual([]);
  });
});

test("an update finds what the version before it took from the users' stack", () => {
  // It read the first client's id there; an export that is in use cannot be taken away.
  const exported = Object.values(withPool.outputs).map((output) => JSON.stringify(output));
  expect(exported).toContainEqual(
    expect.stringContaining('"agent-platform-prod-users:ExportsOutputRefPoolClient8A3E5EB7'),
  );
});

test("the limits of the gateway's stage are those of the configuration", () => {
  const limitsOf = (app: typeof without) => {
    const settings = app.ofType("AWS::ApiGatewayV2::Stage")[0]?.properties.DefaultRouteSettings;
    return [settings.ThrottlingRateLimit, settings.ThrottlingBurstLimit];
  };
  expect(limitsOf(without)).toEqual([1000, 2000]);
  expect(limitsOf(withPool)).toEqual([50, 70]);
});
