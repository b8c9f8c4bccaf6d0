import fc from "fast-check";
import { expect, test } from "vitest";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseDecision } from "../../shared/auth/decision.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { matchRoute } from "../../shared/routes/matching/match.ts";
import { anIssuer } from "./an-issuer.ts";

const issuer = await anIssuer();
const authorize = createAuthorizer({
  issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] } }])),
  adminScope: "platform:admin",
  now: Date.now,
});
const goodToken = await issuer.sign({ sub: "maria", scopes: ["platform:admin"] });

const segment = fc.oneof(
  fc.constantFrom(
    "agents",
    "queue",
    "jobs",
    "runs",
    "config",
    "..",
    "%2e%2e",
    "%",
    "%2F",
    "",
    "a1",
    "health",
  ),
  fc.string(),
);
const path = fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`);
const method = fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "get", "");
const base64url = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("base64url"));
const json = fc.json().map((text) => Buffer.from(text).toString("base64url"));
const garbage = fc.oneof(
  fc.string(),
  fc.tuple(fc.oneof(base64url, json), fc.oneof(base64url, json), base64url).map((parts) => parts.join(".")),
  fc.nat(goodToken.length - 1).map((at) => goodToken.slice(0, at)),
  fc
    .tuple(json, base64url)
    .map(([payload, signature]) => `${goodToken.split(".")[0]}.${payload}.${signature}`),
);

test("garbage for a token never gets anywhere and never throws, whatever the path", async () => {
  const check = fc.asyncProperty(method, path, garbage, async (asked, rawPath, token) => {
    const decision = await authorize({
      method: asked,
      rawPath,
      headers: { authorization: `Bearer ${token}` },
    });
    const found = matchRoute(asked, rawPath);
    const isPublic = found && ("operation" in found ? found.route.scopes === "public" : found.public);
    expect(decision.outcome).toBe(isPublic ? "allow" : "unauthenticated");
    if (decision.outcome !== "allow") expect(decision.detail).not.toContain("required");
  });
  await fc.assert(check, { numRuns: 500 });
});

test("garbage for a decision is no decision", () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.json()), (text) => {
      expect(parseDecision(text)).toBeUndefined();
    }),
  );
});
