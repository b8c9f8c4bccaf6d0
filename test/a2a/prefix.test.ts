import { describe, expect, test } from "vitest";
import type { A2aDeps } from "../../functions/a2a/a2a-deps.ts";
import { discoveryOf } from "../../functions/a2a/discovery.ts";
import { getCard } from "../../functions/a2a/get-card.ts";
import { getHostCard } from "../../functions/a2a/service-cards.ts";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { anonymous } from "../../shared/auth/principal.ts";
import { findInRegistry } from "../../shared/engine/component/find-runnable.ts";
import { createMatcher } from "../../shared/routes/matching/matcher.ts";
import { a2aRoutes, a2aRoutesAt } from "../../shared/routes/protocols/a2a.ts";
import type { AccessRow, AccessRows } from "../../shared/routes/route.ts";
import { type Interfaces, servedFamilies } from "../../shared/routes/served.ts";
import { servedAccess } from "../../shared/routes/served-access.ts";
import { anIssuer } from "../auth/an-issuer.ts";
import { registry } from "../support/registry/index.ts";

const protocols = {
  AGUI_ENABLED: "true",
  UI_CHAT_ENABLED: "true",
  MCP_ENABLED: "true",
  OPENAI_ENABLED: "true",
  MCP_AUTH: "builtin",
} as const;
const prefix = "/partners/agents-api";
const issuer = await anIssuer("EdDSA");
const authorizerOf = (interfaces: Interfaces) =>
  createAuthorizer({
    issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] }, algorithms: ["EdDSA"] }])),
    adminScope: "platform:admin",
    now: Date.now,
    match: createMatcher<string, AccessRow>(servedAccess(interfaces)),
  });
const moved = authorizerOf({ A2A_ENABLED: "true", A2A_PREFIX: prefix, ...protocols });
const off = authorizerOf({
  A2A_ENABLED: "false",
  A2A_PREFIX: prefix,
  AGUI_ENABLED: "false",
  UI_CHAT_ENABLED: "false",
  MCP_ENABLED: "false",
  OPENAI_ENABLED: "false",
  MCP_AUTH: "issuer",
});

async function outcome(authorize: typeof moved, scope: string, method: string, rawPath: string) {
  const authorization = `Bearer ${await issuer.sign({ sub: "maria", scopes: [scope] })}`;
  return authorize({ method, rawPath, headers: { authorization } });
}

const filled = (path: string): string =>
  path.replace(/\{(agent|team|workflow)_id\}/, "a1").replace(/\{[^}]*\}/g, "x");

/** But for the card of the service, which everybody finds at one place. */
const guarded = (routes: AccessRows) =>
  Object.entries(routes).filter(([, { scopes }]) => scopes !== "public");

test.each(guarded(a2aRoutesAt(prefix)))(
  "%s is opened below another prefix by the scope of its kind and by that of one id, and by no other",
  async (operation, { method, path, scopes }) => {
    const rawPath = filled(path);
    for (const scope of scopes) {
      expect(await outcome(moved, scope, method, rawPath)).toMatchObject({ outcome: "allow", operation });
      const perId = path.includes("_id}") ? "allow" : "forbidden";
      expect((await outcome(moved, scope.replace(":", ":a1:"), method, rawPath)).outcome).toBe(perId);
      expect((await outcome(moved, scope.replace(":", ":a2:"), method, rawPath)).outcome).toBe("forbidden");
    }
    expect((await outcome(moved, "zebra:run", method, rawPath)).outcome).toBe(
      scopes.length > 0 ? "forbidden" : "allow",
    );
  },
);

test.each<Interfaces>([
  { A2A_ENABLED: "true", A2A_PREFIX: prefix, ...protocols },
  { A2A_ENABLED: "true", A2A_PREFIX: "/a2a", ...protocols },
  {
    A2A_ENABLED: "false",
    A2A_PREFIX: prefix,
    AGUI_ENABLED: "false",
    UI_CHAT_ENABLED: "false",
    MCP_ENABLED: "false",
    OPENAI_ENABLED: "false",
    MCP_AUTH: "issuer",
  },
])("what the authorizer knows of $A2A_ENABLED at $A2A_PREFIX is what is served, row by row", (interfaces) => {
  const rows = (tables: object) =>
    Object.entries(tables).flatMap(([family, table]) =>
      Object.entries<AccessRow>(table).map(([operation, { method, path, scopes }]) => [
        [family, operation],
        { method, path, scopes },
      ]),
    );
  expect(rows(servedAccess(interfaces))).toEqual(rows(servedFamilies(interfaces)));
});

test.each(guarded(a2aRoutes))(
  "%s is nowhere else, and nowhere where it is switched off",
  async (_name, row) => {
    const rawPath = filled(row.path);
    expect(await outcome(moved, "agents:run", row.method, rawPath)).toMatchObject({ operation: null });
    expect(await outcome(off, "agents:run", row.method, rawPath)).toMatchObject({ operation: null });
  },
);

const claims = { user_id: "sub", scopes: "scopes", audience: "aud" };

test("a card names the issuers, the addresses below the prefix, and the address that is configured", async () => {
  const request = {
    component: { kind: "agent" as const, id: "assistant" },
    principal: { kind: "user" as const, user_id: "maria", scopes: [], admin: false },
    params: {},
    query: {},
    headers: {},
    origin: "https://front.example",
    signal: AbortSignal.abort(),
    invocation: {},
  };
  const discovery = discoveryOf([
    { issuer: "https://id.example/", jwks_uri: "https://id.example/keys", claims, algorithms: ["RS256"] },
    // Its keys are in the configuration: it is unknown whether it can be asked.
    { issuer: "https://quiet.example", public_keys: ["key"], claims, algorithms: ["RS256"] },
  ]);
  const rootsBy = async (publicUrl: string | undefined) => {
    const deps = {
      db: {},
      findRunnable: findInRegistry(registry),
      prefix,
      publicUrl,
      discovery,
    } as unknown as A2aDeps; // all that a card asks for
    const { body } = await getCard(request, deps);
    return (body as { supportedInterfaces: { url: string }[] }).supportedInterfaces.map(({ url }) => url);
  };
  expect((await rootsBy(undefined))[0]).toBe(`https://front.example${prefix}/agents/assistant`);
  expect((await rootsBy("https://agents.example"))[1]).toBe(
    `https://agents.example${prefix}/agents/assistant/v1`,
  );
  const { body } = await getCard(request, {
    db: {},
    findRunnable: findInRegistry(registry),
    prefix,
    discovery,
  } as unknown as A2aDeps); // as above
  const openIdConnectUrl = "https://id.example/.well-known/openid-configuration";
  expect(body).toMatchObject({
    securitySchemes: {
      openIdConnect: {
        ...{ type: "openIdConnect", openIdConnectUrl },
        openIdConnectSecurityScheme: { openIdConnectUrl },
      },
    },
    security: [{ bearer: [] }, { openIdConnect: [] }],
  });
  // The SDK for Go reads no card with the requirements of 1.0; that for Python makes them of `security`, and the scheme of its type.
  expect(body).not.toHaveProperty("securityRequirements");
  const bearer = Object(body).securitySchemes.bearer;
  expect(bearer.httpAuthSecurityScheme.scheme).toBe(bearer.scheme);
});

describe("the card of the service", () => {
  const request = {
    headers: {},
    query: {},
    origin: "https://front.example",
    signal: AbortSignal.abort(),
    invocation: {},
  };
  const depsWith = (hostAgent?: A2aDeps["hostAgent"]) =>
    ({
      db: {},
      findRunnable: findInRegistry(registry),
      prefix,
      discovery: [],
      hostAgent,
    }) as unknown as A2aDeps; // all that a card asks for

  test("is that of the configured component, and names none of its tools to who has no credential", async () => {
    const deps = depsWith({ kind: "agent", id: "assistant" });
    const { body, headers } = await getHostCard({ ...request, principal: anonymous }, deps);
    expect(body).toMatchObject({ url: `https://front.example${prefix}/agents/assistant` });
    expect((body as { skills: { id: string }[] }).skills.map(({ id }) => id)).toEqual(["assistant"]);
    expect(headers["cache-control"]).toBe("max-age=60");
  });

  test("is not there unless a component is configured", async () => {
    await expect(getHostCard({ ...request, principal: anonymous }, depsWith())).rejects.toThrow(
      "a2aHostAgent",
    );
  });
});
