import { generateKeyPairSync, sign } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { readableIds } from "../../shared/auth/scopes/scopes.ts";
import { families } from "../../shared/routes/index.ts";
import type { RouteTable } from "../../shared/routes/route.ts";
import { anIssuer } from "./an-issuer.ts";

const issuer = await anIssuer();
const nowSeconds = 1_790_000_000;
const inlineKeys = [{ jwks: { keys: [issuer.jwk] } }];
const admin = { sub: "maria", scopes: ["platform:admin"] };

const authorizerFor = (issuers: unknown = inlineKeys, adminScope = "platform:admin") =>
  createAuthorizer({
    issuers: parseIssuers(JSON.stringify(issuers)),
    adminScope,
    now: () => nowSeconds * 1000,
  });

const decide = (authorization: string | undefined, authorize = authorizerFor(), rawPath = "/config") =>
  authorize({ method: "GET", rawPath, headers: { authorization } });

const outcomeOf = async (...args: Parameters<typeof decide>) => {
  const decision = await decide(...args);
  return decision.outcome === "allow" ? "allow" : `${decision.outcome}: ${decision.detail}`;
};

describe("times of a token", () => {
  test.each([
    ["expired for a minute", { exp: nowSeconds - 60 }, "unauthenticated: Token has expired"],
    ["expired within the leeway", { exp: nowSeconds - 5 }, "allow"],
    ["not valid for 100 s", { nbf: nowSeconds + 100 }, "unauthenticated: Invalid token: it is not valid yet"],
    ["valid in 5 s", { nbf: nowSeconds + 5 }, "allow"],
    [
      "issued 100 s ahead",
      { iat: nowSeconds + 100 },
      "unauthenticated: Invalid token: it was issued in the future",
    ],
    ["issued 5 s ahead", { iat: nowSeconds + 5 }, "allow"],
    ["without any time", {}, "allow"],
  ])("a token %s", async (_name, times, expected) => {
    expect(await outcomeOf(`Bearer ${await issuer.sign({ ...admin, ...times })}`)).toBe(expected);
  });
});

describe("how a token is presented", () => {
  test.each(["Bearer ", "bearer ", "BEARER  ", ""])("prefix '%s' is accepted", async (prefix) => {
    expect(await outcomeOf(`${prefix}${await issuer.sign(admin)}`)).toBe("allow");
  });

  test("another scheme is an invalid token", async () => {
    expect(await outcomeOf("Basic bWFyaWE6eA==")).toMatch(/^unauthenticated: Invalid token/);
  });

  test.each([undefined, "", "   "])(
    "no token (%j) is refused without the word that other modes use",
    async (header) => {
      const outcome = await outcomeOf(header);
      expect(outcome).toMatch(/^unauthenticated: /);
      expect(outcome).not.toContain("required");
    },
  );
});

describe("signatures", () => {
  test("an unsigned token is refused", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    expect(await outcomeOf(`${part({ alg: "none" })}.${part(admin)}.`)).toMatch(/^unauthenticated/);
    expect(await outcomeOf(`${part({ alg: "none" })}.${part(admin)}.AA`)).toMatch(/^unauthenticated/);
  });

  test.each([[["exp"]], [["b64"]], [["urn:example:bound-to-device"]], [[]], ["exp"], [null]])(
    "a token whose header names %j as critical is refused, whoever signed it",
    async (crit) => {
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const authorize = authorizerFor([{ jwks: { keys: [publicKey.export({ format: "jwk" })] } }]);
      const signed = (header: object) => {
        const text = `${part(header)}.${part(admin)}`;
        return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
      };
      expect(await outcomeOf(signed({ alg: "RS256" }), authorize)).toBe("allow");
      const refused = await outcomeOf(signed({ alg: "RS256", exp: 1, crit }), authorize);
      expect(refused).toMatch(/^unauthenticated: Invalid token: .*critical/);
    },
  );

  test("a token signed with the public key as a shared secret is refused", async () => {
    const token = await new SignJWT(admin)
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(issuer.pem));
    const authorize = authorizerFor([{ public_keys: [issuer.pem] }]);
    expect(await outcomeOf(token, authorize)).toMatch(/^unauthenticated: Invalid token/);
  });

  test("a token of a stranger is refused, under a known key id too", async () => {
    const stranger = await anIssuer();
    expect(await outcomeOf(await stranger.sign(admin))).toMatch(/^unauthenticated: Invalid token/);
  });

  test("an algorithm that is not configured is refused, though the key could do it", async () => {
    const strong = await anIssuer("RS512");
    const token = await strong.sign(admin);
    const only = [{ jwks: { keys: [strong.jwk] } }];
    const allowed = [{ jwks: { keys: [strong.jwk] }, algorithms: ["RS256", "RS512"] }];
    expect(await outcomeOf(token, authorizerFor(only))).toMatch(/^unauthenticated/);
    expect(await outcomeOf(token, authorizerFor(allowed))).toBe("allow");
  });

  test.each(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"])(
    "%s is verified",
    async (alg) => {
      const one = await anIssuer(alg);
      const authorize = authorizerFor([{ jwks: { keys: [one.jwk] }, algorithms: [alg] }]);
      const token = await one.sign(admin);
      expect(await outcomeOf(token, authorize)).toBe("allow");
      expect(await outcomeOf(`${token.slice(0, -8)}AAAAAAAA`, authorize)).toMatch(/^unauthenticated/);
      // Too short, too long, and none at all.
      for (const wrong of [token.slice(0, -8), `${token}AAAA`, token.replace(/[^.]*$/, "")]) {
        expect(await outcomeOf(wrong, authorize)).toMatch(/^unauthenticated: Invalid token/);
      }
    },
  );

  const mismatches = ["RS256", "ES256", "EdDSA"].flatMap((alg) =>
    ["RS256", "ES256", "EdDSA"].filter((other) => other !== alg).map((other) => [alg, other] as const),
  );
  test.each(mismatches)(
    "a token by %s is refused where the key is for %s, not failed on",
    async (alg, other) => {
      const { alg: _, ...key } = { alg: "", ...(await anIssuer(other)).jwk };
      const authorize = authorizerFor([{ jwks: { keys: [key] }, algorithms: ["RS256", "ES256", "EdDSA"] }]);
      const signer = await anIssuer(alg);
      expect(await outcomeOf(await signer.sign(admin), authorize)).toMatch(/^unauthenticated: Invalid token/);
    },
  );

  test("one family of RSA signatures is not taken for the other", async () => {
    const signer = await anIssuer("PS256");
    const { alg: _, ...key } = { alg: "", ...signer.jwk };
    const token = await signer.sign(admin);
    const [, payload, signature] = token.split(".");
    const relabelled = `${Buffer.from('{"alg":"RS256"}').toString("base64url")}.${payload}.${signature}`;
    const both = authorizerFor([{ jwks: { keys: [key] }, algorithms: ["RS256", "PS256", "PS512"] }]);
    expect(await outcomeOf(token, both)).toBe("allow");
    expect(await outcomeOf(relabelled, both)).toMatch(/^unauthenticated/);
    const only = authorizerFor([{ jwks: { keys: [key] }, algorithms: ["RS256"] }]);
    expect(await outcomeOf(token, only)).toMatch(/^unauthenticated/);
  });

  test("a token that is longer than any could need is refused before it is read", async () => {
    const token = await issuer.sign({ ...admin, note: "x".repeat(9000) });
    expect(await outcomeOf(token)).toBe("unauthenticated: Invalid token: it is too long");
  });

  test("a shared-secret algorithm cannot be configured", () => {
    expect(() =>
      parseIssuers(JSON.stringify([{ public_keys: [issuer.pem], algorithms: ["HS256"] }])),
    ).toThrow(/JWT_ISSUERS/);
  });

  test("an issuer without keys cannot be configured", () => {
    expect(() => parseIssuers('[{"issuer":"x"}]')).toThrow(/needs jwks_uri, jwks or public_keys/);
  });

  test("without any issuer every credential is refused", async () => {
    expect(await outcomeOf(await issuer.sign(admin), authorizerFor([]))).toMatch(/^unauthenticated/);
  });
});

describe("which key is used", () => {
  test("a key without an id is the default for ids that are unknown", async () => {
    const unnamed = await anIssuer("RS256", null);
    const authorize = authorizerFor([{ jwks: { keys: [issuer.jwk, unnamed.jwk] } }]);
    expect(await outcomeOf(await unnamed.sign(admin), authorize)).toBe("allow");
    expect(await outcomeOf(await unnamed.sign(admin, { kid: "other" }), authorize)).toBe("allow");
    expect(await outcomeOf(await unnamed.sign(admin, { kid: "key-1" }), authorize)).toMatch(/^unauth/);
  });

  test("an unknown id is refused where every key has one", async () => {
    expect(await outcomeOf(await issuer.sign(admin, { kid: "other" }))).toMatch(/^unauthenticated/);
  });

  test("fixed keys are tried after the key set", async () => {
    const second = await anIssuer();
    const authorize = authorizerFor([{ jwks: { keys: [issuer.jwk] }, public_keys: [second.pem] }]);
    expect(await outcomeOf(await second.sign(admin), authorize)).toBe("allow");
  });

  test("each of several issuers is known by its own keys", async () => {
    const other = await anIssuer();
    const authorize = authorizerFor([
      { issuer: "https://one.example", jwks: { keys: [issuer.jwk] } },
      { issuer: "https://two.example", jwks: { keys: [other.jwk] } },
    ]);
    expect(await outcomeOf(await other.sign({ ...admin, iss: "https://two.example" }), authorize)).toBe(
      "allow",
    );
    expect(await outcomeOf(await other.sign({ ...admin, iss: "https://one.example" }), authorize)).toMatch(
      /^unauth/,
    );
    expect(await outcomeOf(await other.sign(admin), authorize)).toMatch(/^unauth/);
  });
});

describe("claims", () => {
  test.each(["sa:x", "__scheduler__", "__oauth__:x"])("the reserved subject %s is refused", async (sub) => {
    expect(await outcomeOf(await issuer.sign({ ...admin, sub }))).toBe(
      "unauthenticated: Invalid token subject",
    );
  });

  test("a numeric subject is refused", async () => {
    const token = await issuer.sign({ ...admin, sub: 7 as unknown as string });
    expect(await outcomeOf(token)).toMatch(/^unauthenticated: Invalid token/);
  });

  test.each([
    ["scopes as one text", { scopes: "config:read" }, "allow"],
    ["scopes as text with a space", { scopes: "config:read agents:read" }, "forbidden"],
    ["scopes as an object", { scopes: { "config:read": true } }, "forbidden"],
    ["the OAuth claim scope", { scope: "config:read" }, "forbidden"],
    ["no scopes", {}, "forbidden"],
  ])("%s: %j", async (_name, tokenClaims, expected) => {
    expect((await decide(await issuer.sign({ sub: "maria", ...tokenClaims }))).outcome).toBe(expected);
  });

  test.each([
    ["shop", "allow"],
    [["other", "shop"], "allow"],
    ["other", "unauthenticated: Invalid token audience"],
    [undefined, "unauthenticated: Invalid token audience"],
  ])("audience %j where 'shop' is expected", async (aud, expected) => {
    const authorize = authorizerFor([{ jwks: { keys: [issuer.jwk] }, audience: ["shop", "store"] }]);
    expect(await outcomeOf(await issuer.sign({ ...admin, ...(aud && { aud }) }), authorize)).toBe(expected);
    expect(await outcomeOf(await issuer.sign({ ...admin, ...(aud && { aud }) }))).toBe("allow");
  });

  test("an issuer may call its claims otherwise", async () => {
    const claims = { user_id: "email", scopes: "https://shop.example/scopes", audience: "client_id" };
    const authorize = authorizerFor([{ jwks: { keys: [issuer.jwk] }, claims, audience: "shop" }]);
    const good = {
      email: "maria@shop.example",
      "https://shop.example/scopes": ["config:read"],
      client_id: "shop",
    };
    const decision = await decide(await issuer.sign(good), authorize);
    expect(decision).toMatchObject({ outcome: "allow", principal: { user_id: "maria@shop.example" } });
    const outcomeWith = async (changed: object) =>
      outcomeOf(await issuer.sign({ ...good, ...changed }), authorize);
    expect(await outcomeWith({ client_id: "other", aud: "shop" })).toBe(
      "unauthenticated: Invalid token audience",
    );
    expect(await outcomeWith({ email: "sa:x" })).toBe("unauthenticated: Invalid token subject");
    expect(await outcomeWith({ email: 7 })).toBe("unauthenticated: Invalid token subject");
    expect(await outcomeWith({ [claims.scopes]: [], scopes: ["platform:admin"] })).toMatch(/^forbidden/);
  });

  test("an audience that is checked without being named is the instance's own id", async () => {
    const authorize = createAuthorizer({
      issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] }, verify_audience: true }])),
      adminScope: "platform:admin",
      osId: "shop-os",
      now: () => nowSeconds * 1000,
    });
    expect(await outcomeOf(await issuer.sign({ ...admin, aud: "shop-os" }), authorize)).toBe("allow");
    expect(await outcomeOf(await issuer.sign(admin), authorize)).toMatch(/audience/);
  });

  test("the principal is the subject of the token, and none when it is empty or absent", async () => {
    const principalOf = async (sub?: string) => {
      const decision = await decide(
        await issuer.sign({ scopes: admin.scopes, ...(sub !== undefined && { sub }) }),
      );
      return decision.outcome === "allow" ? decision.principal.user_id : decision;
    };
    expect(await principalOf("maria")).toBe("maria");
    expect(await principalOf("")).toBeNull();
    expect(await principalOf()).toBeNull();
  });
});

describe("scopes", () => {
  test("a refusal lists the route's scopes in their order", async () => {
    const token = await issuer.sign({ sub: "maria", scopes: [] });
    expect(await outcomeOf(token, authorizerFor(), "/agents/a1/runs/r")).toBe(
      "forbidden: Insufficient permissions. Required scope(s): agents:read, agents:run",
    );
  });

  test("another admin scope takes the place of the default one", async () => {
    const authorize = authorizerFor(inlineKeys, "shop:boss");
    const boss = await issuer.sign({ sub: "maria", scopes: ["shop:boss"] });
    const former = await issuer.sign(admin);
    expect(await outcomeOf(boss, authorize, "/queue/jobs")).toBe("allow");
    expect(await outcomeOf(boss, authorize, "/config")).toBe("allow");
    expect(await outcomeOf(former, authorize, "/config")).toMatch(/^forbidden/);
    expect(await outcomeOf(former, authorize, "/queue/jobs")).toBe(
      "forbidden: Insufficient permissions. Required scope(s): shop:boss",
    );
  });

  test("no look-alike of the admin scope opens an admin route", async () => {
    for (const scope of [
      "platform:*:admin",
      "platform:x:admin",
      "admin",
      "PLATFORM:ADMIN",
      "platform:admin ",
    ]) {
      const token = await issuer.sign({ sub: "maria", scopes: [scope] });
      expect(await outcomeOf(token, authorizerFor(), "/queue/jobs")).toMatch(/^forbidden/);
    }
  });

  test("an id in the path is compared after decoding, and only once", async () => {
    const token = await issuer.sign({ sub: "maria", scopes: ["agents:a 1:read", "agents:b%20c:read"] });
    expect(await outcomeOf(token, authorizerFor(), "/agents/a%201")).toBe("allow");
    expect(await outcomeOf(token, authorizerFor(), "/agents/b%20c")).toMatch(/^forbidden/);
    expect(await outcomeOf(token, authorizerFor(), "/agents/b%2520c")).toBe("allow");
  });

  test.each([
    [["agents:read"], "all"],
    [["agents:*:read"], "all"],
    [
      ["agents:a1:read", "agents:a2:read", "agents:a3:run"],
      ["a1", "a2"],
    ],
    [["teams:t1:read"], []],
  ])("with %j the listed agents are %j", (scopes, expected) => {
    const ids = readableIds({ scopes, admin: false }, "agents");
    expect(ids === "all" ? ids : [...ids]).toEqual(expected);
  });

  test("every served route is public or names its scopes", () => {
    const routes = Object.values<RouteTable>(families).flatMap((table) => Object.values(table));
    // The endpoints of JSON-RPC ask for the scope of the method that is called.
    const byMethod = /^\/a2a\/\w+\/\{\w+\}(\/v1)?$/;
    // The list of all runs asks for the scope of one of the kinds.
    const byKind = ["/runs"];
    // These ask for the scope to run the component of the settings, and for that of each tool.
    const byHandler = ["/agui", "/mcp"];
    // The list of cards asks for the scope of each card.
    const byCard = ["/a2a/cards"];
    // These ask for the scope to run each component, or the one that a response is of.
    const byModel = /^\/v1\//;
    // What is said about a run asks for the scopes of its component.
    const byRun = /^\/runs\/\{run_id\}\/feedback/;
    // Which runs are cancelled follows from the kinds that the caller may run.
    const byRuns = /^\/runs\/cancel$/;
    // What a user lets apps do follows from what the user may do.
    const byUser = /^\/oauth\//;
    // Everybody may know who they are, keep views of their own, and know that an interface is there.
    const needsNone = ["/me", "/me/views", "/me/views/{view_name}", "/status"];
    for (const { scopes, path } of routes) {
      const inHandler =
        [byMethod, byModel, byRun, byRuns, byUser].some((paths) => paths.test(path)) ||
        [...byKind, ...byHandler, ...byCard, ...needsNone].includes(path);
      expect(scopes === "public" || scopes.length > 0 || inHandler, path).toBe(true);
    }
  });
});

describe("paths that lead nowhere", () => {
  test("they are shown only to those who have said who they are", async () => {
    const authorize = authorizerFor();
    expect(await outcomeOf(undefined, authorize, "/nope")).toMatch(/^unauthenticated/);
    const decision = await decide(await issuer.sign({ sub: "maria" }), authorize, "/nope");
    expect(decision).toMatchObject({ outcome: "allow", operation: null });
  });

  test("a wrong method on a public path needs no credential", async () => {
    const decision = await authorizerFor()({ method: "DELETE", rawPath: "/health", headers: {} });
    expect(decision).toMatchObject({ outcome: "allow", operation: null });
  });
});
