import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { principalOfToken } from "../../shared/auth/identify/principal-of-token.ts";
import { createVerifyToken } from "../../shared/auth/identify/verify-token.ts";
import { ADMIN_ONLY } from "../../shared/auth/scopes/admin-scope.ts";
import { anIssuer } from "./an-issuer.ts";

/** The recipes of the guide, each with a token of the shape that the provider's documentation shows. */
const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/access.md"), "utf8");
const recipes: Readonly<Record<string, Record<string, unknown>>> = Object.fromEntries(
  [...guide.matchAll(/```json (\w+)\n(.*?)```/gs)].map(([, name, text]) => [name, JSON.parse(text ?? "")]),
);

const OID = "22222222-2222-2222-2222-222222222222";
const tokens: Readonly<Record<string, Record<string, unknown>>> = {
  okta: {
    ver: 1,
    cid: "0oa1",
    uid: OID,
    sub: "maria@example.com",
    scp: ["openid", "agents:run", "agents:read"],
  },
  entra: { ver: "2.0", azp: "33", sub: "pairwise", oid: OID, tid: "t", scp: "agents:run agents:read" },
  auth0: { azp: "4", sub: OID, scope: "openid profile agents:run agents:read" },
  cognito: {
    token_use: "access",
    version: 2,
    sub: OID,
    client_id: "1example23456789",
    username: "maria",
    scope: "openid agent-platform/agents:run agent-platform/agents:read",
  },
  keycloak: { typ: "Bearer", azp: "5", sub: OID, scope: "openid email agents:run agents:read" },
};

let issuer: Awaited<ReturnType<typeof anIssuer>>;
beforeAll(async () => {
  issuer = await anIssuer();
});

async function principalOf(configured: object, tokenClaims: Record<string, unknown>) {
  const known = parseIssuers(
    JSON.stringify([{ ...configured, jwks_uri: undefined, jwks: { keys: [issuer.jwk] } }]),
  );
  const verified = await createVerifyToken(known, Date.now)(await issuer.sign(tokenClaims));
  return verified.outcome === "valid" ? principalOfToken(verified, ADMIN_ONLY) : verified;
}

const scopesOf = (made: Awaited<ReturnType<typeof principalOf>>): readonly string[] =>
  made && "scopes" in made ? made.scopes : [JSON.stringify(made)];

describe("the recipe for", () => {
  test("every provider of the guide has a token here", () => {
    expect(Object.keys(recipes).sort()).toEqual(Object.keys(tokens).sort());
  });

  test.each(Object.keys(tokens))("%s reads its tokens", async (name) => {
    const { issuer: iss, audience } = recipes[name] ?? {};
    const aud = name === "cognito" ? {} : { aud: audience };
    const principal = await principalOf(recipes[name] ?? {}, { iss, ...aud, ...tokens[name] });
    expect(principal).toMatchObject({ kind: "user", user_id: OID, admin: false });
    expect(scopesOf(principal)).toEqual(expect.arrayContaining(["agents:run", "agents:read"]));
  });

  test.each(Object.keys(tokens))("%s refuses a token for another service", async (name) => {
    const { issuer: iss } = recipes[name] ?? {};
    const claims = { ...tokens[name], iss, aud: "another", client_id: "another" };
    expect(await principalOf(recipes[name] ?? {}, claims)).toMatchObject({ outcome: "invalid" });
  });
});

describe("a text of scopes", () => {
  const scopesIn = async (claims: object, token: Record<string, unknown>) =>
    scopesOf(await principalOf({ claims }, { sub: "m", ...token }));

  test.each([
    [{ scopes: "scope" }, { scope: "a:run  b:run" }, ["a:run", "b:run"]],
    [{ scopes: "scp" }, { scp: "a:run b:run" }, ["a:run", "b:run"]],
    [{ scopes: "scp" }, { scp: ["a:run", "b:run"] }, ["a:run", "b:run"]],
    [{ scopes: "scope" }, { scope: "" }, []],
    [{ scopes: "scope", split_scopes: false }, { scope: "a:run b:run" }, ["a:run b:run"]],
    [{}, { scopes: "a:run b:run" }, ["a:run b:run"]],
    [{}, { scope: "a:run" }, []],
    [{ scopes: "perms", split_scopes: true }, { perms: "a:run b:run" }, ["a:run", "b:run"]],
    [{ scopes: "scope", scope_prefix: "p/" }, { scope: "p/a:run b:run" }, ["a:run"]],
    [{ scopes: "scope", scope_prefix: "p/" }, { scope: "platform:admin" }, []],
  ])("by %j, %j is %j", async (claims, token, scopes) => {
    expect(await scopesIn(claims, token)).toEqual(scopes);
  });
});
