import fc from "fast-check";
import { expect, test } from "vitest";
import { type AccessRequest, createAuthorizer } from "../../../shared/auth/authorize.ts";
import { parseIssuers } from "../../../shared/auth/identify/issuers.ts";
import { families } from "../../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../../shared/routes/route.ts";
import { anIssuer } from "../../auth/an-issuer.ts";
import { oracle } from "../../auth/scope-oracle.ts";
import { catalogueRoutes, matchCatalogue } from "../../auth/truth-table.ts";

const issuer = await anIssuer("EdDSA");
const authorize = createAuthorizer({
  issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] }, algorithms: ["EdDSA"] }])),
  adminScope: "platform:admin",
  now: Date.now,
  match: matchCatalogue,
});

const routes: readonly Route[] = [
  ...Object.values<RouteTable>(families).flatMap((table) => Object.values(table)),
  ...Object.values(catalogueRoutes),
];
const resources = [
  ...new Set(routes.flatMap(({ scopes }) => scopes).map((scope) => scope.split(":")[0] ?? "")),
];
const ids = ["a1", "a2", "*", "", "run"];
const resource = fc.constantFrom(...resources, "system", "platform", "zebra");
const action = fc.constantFrom("read", "run", "write", "delete", "admin", "");
const scope = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(resource, action).map((parts) => parts.join(":")) },
  {
    weight: 6,
    arbitrary: fc.tuple(resource, fc.constantFrom(...ids), action).map((parts) => parts.join(":")),
  },
  { weight: 1, arbitrary: fc.constantFrom("platform:admin", "admin", "*", "agents", "a:b:c:d", "*:read") },
);
const asked = fc.record({
  route: fc.constantFrom(...routes),
  id: fc.constantFrom("a1", "a2", "zz"),
  held: fc.array(scope, { maxLength: 5 }),
  // Every other time the route's own scopes are mixed in, or hardly anything would be allowed.
  own: fc.constantFrom<"none" | "all" | "first" | "perId">("none", "all", "first", "perId"),
});

function heldWith({ route, id, held, own }: { route: Route; id: string; held: string[]; own: string }) {
  const required = route.scopes === "public" ? [] : route.scopes;
  if (own === "all") return [...held, ...required];
  if (own === "first") return [...held, ...required.slice(0, 1)];
  if (own === "perId") return [...held, ...required.map((text) => text.replace(":", `:${id}:`))];
  return held;
}

test("10,000 random pairs of scopes and routes are decided as a second reading of the rules decides them", async () => {
  const seen = { allow: 0, forbidden: 0 };
  const tokens = new Map<string, string>();
  const property = fc.asyncProperty(asked, async (one) => {
    const scopes = heldWith(one);
    const path = one.route.path.replace(/\{[^}]*\}/g, one.id);
    const key = JSON.stringify(scopes);
    const token = tokens.get(key) ?? (await issuer.sign({ sub: "maria", scopes }));
    tokens.set(key, token);
    const request: AccessRequest = {
      method: one.route.method,
      rawPath: path,
      headers: { authorization: token },
    };
    const expected = oracle(scopes, one.route, path);
    seen[expected] += 1;
    expect((await authorize(request)).outcome).toBe(expected);
  });
  await fc.assert(property, { numRuns: 10_000 });
  expect(Math.min(seen.allow, seen.forbidden)).toBeGreaterThan(1000);
}, 180_000);
