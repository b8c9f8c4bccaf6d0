import { describe, expect, test } from "vitest";
import { handler } from "../../functions/pre-token/index.ts";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/issuers.ts";
import { anIssuer } from "../auth/an-issuer.ts";
import { bundleOf, synthesized } from "./synthesized.ts";

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

  test("is kept, signs nobody up, and changes access tokens by its trigger", () => {
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
    const text: string = authorizer?.properties.Environment.Variables.JWT_ISSUERS;
    const [first, second, ...others] = parseIssuers(text);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ issuer: "https://id.example" });
    expect(second?.issuer).toMatch(/^https:\/\/cognito-idp\.<AWS::Region>\..*<import .*Pool/);
    expect(second?.jwks_uri).toBe(`${second?.issuer}/.well-known/jwks.json`);
    expect(second?.claims.audience).toBe("client_id");
    expect(second?.audience).toMatch(/Client/);
  });
});

test("the groups of a user become the scopes of its access token, as the authorizer reads them", async () => {
  const groups = ["agents:run", "sessions:read"];
  const event = { request: { groupConfiguration: { groupsToOverride: groups } } };
  // Only the groups are read; the rest of the event is Cognito's.
  const answered = await handler(event as unknown as Parameters<typeof handler>[0]);
  const { claimsToAddOrOverride } = answered.response.claimsAndScopeOverrideDetails.accessTokenGeneration;
  const issuer = await anIssuer();
  const claims = { sub: "maria", client_id: "client", ...claimsToAddOrOverride };
  const authorize = createAuthorizer({
    issuers: parseIssuers(
      JSON.stringify([
        { jwks: { keys: [issuer.jwk] }, audience: "client", claims: { audience: "client_id" } },
      ]),
    ),
    adminScope: "platform:admin",
    now: Date.now,
  });
  const ask = async (tokenClaims: object) =>
    authorize({
      method: "POST",
      rawPath: "/agents/a1/runs",
      headers: { authorization: await issuer.sign({ ...tokenClaims }) },
    });
  expect(await ask(claims)).toMatchObject({
    outcome: "allow",
    principal: { user_id: "maria", scopes: groups },
  });
  const { client_id, ...idToken } = claims;
  expect(await ask({ ...idToken, aud: client_id })).toMatchObject({ outcome: "unauthenticated" });
});

test("a user without groups holds no scope", async () => {
  const event = { request: { groupConfiguration: {} } };
  const answered = await handler(event as unknown as Parameters<typeof handler>[0]);
  expect(
    answered.response.claimsAndScopeOverrideDetails.accessTokenGeneration.claimsToAddOrOverride.scopes,
  ).toEqual([]);
});

test("the limits of the gateway's stage are those of the configuration", () => {
  const limitsOf = (app: typeof without) => {
    const settings = app.ofType("AWS::ApiGatewayV2::Stage")[0]?.properties.DefaultRouteSettings;
    return [settings.ThrottlingRateLimit, settings.ThrottlingBurstLimit];
  };
  expect(limitsOf(without)).toEqual([1000, 2000]);
  expect(limitsOf(withPool)).toEqual([50, 70]);
});
