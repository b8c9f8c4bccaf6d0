import { beforeAll, describe, expect, test } from "vitest";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import type { Decision } from "../../shared/auth/decision.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { matchRoute } from "../../shared/routes/matching/match.ts";
import type { Matcher } from "../../shared/routes/matching/matcher.ts";
import type { AccessRow } from "../../shared/routes/route.ts";
import { tableVariable } from "../../shared/settings/table-env.ts";
import { anIssuer } from "./an-issuer.ts";
import { matchCatalogue, type Row, truthTable, type Verdict } from "./truth-table.ts";

const issuer = await anIssuer();
const issuersText = JSON.stringify([{ jwks: { keys: [issuer.jwk] } }]);

const requestOf = async ([, scopes, request]: Row) => {
  const [method = "", rawPath = ""] = request.split(" ");
  const authorization = scopes && `Bearer ${await issuer.sign({ sub: "maria", scopes: [...scopes] })}`;
  return { method, rawPath, headers: authorization === null ? {} : { authorization } };
};

function verdictOf(decision: Decision): Verdict {
  if (decision.outcome === "allow") return decision.operation === null ? 404 : "A";
  return decision.outcome === "forbidden" ? "F" : "U";
}

const decideWith = (match: Matcher<string, AccessRow>) =>
  createAuthorizer({
    issuers: parseIssuers(issuersText),
    adminScope: "platform:admin",
    now: Date.now,
    match,
  });

/** Served already, or served nowhere. */
const isServed = ([, , request]: Row) => {
  const [method = "", rawPath = ""] = request.split(" ");
  const found = matchRoute(method, rawPath);
  return rawPath === "/nope" || (found !== undefined && "operation" in found);
};

test.each(truthTable)("row %i: a token with %j asking %s is answered %s", async (...row) => {
  expect(verdictOf(await decideWith(matchCatalogue)(await requestOf(row)))).toBe(row[3]);
});

describe("the authorizer function", () => {
  let handler: typeof import("../../functions/authorizer/index.ts")["handler"];

  beforeAll(async () => {
    Object.assign(process.env, {
      OS_ID: "os",
      STAGE: "test",
      A2A_ENABLED: "true",
      POWERTOOLS_SERVICE_NAME: "authorizer",
      JWT_ISSUERS: issuersText,
      OBJECTS_BUCKET: "unused",
      ...Object.fromEntries(Object.values(tableVariable).map((name) => [name, "unused"])),
    });
    ({ handler } = await import("../../functions/authorizer/index.ts"));
  });

  test.each(truthTable.filter(isServed))("row %i: %j asking %s is answered %s", async (...row) => {
    const { method, rawPath, headers } = await requestOf(row);
    const event = {
      routeKey: "$default",
      rawPath,
      headers,
      requestContext: { http: { method, sourceIp: "192.0.2.1" } },
    };
    // Only these members of the event decide; the rest of its type is the gateway's.
    const answer = await handler(event as unknown as Parameters<typeof handler>[0]);
    expect(answer.isAuthorized).toBe(true);
    expect(verdictOf(JSON.parse(answer.context?.decision ?? ""))).toBe(row[3]);
    // What the access log takes from the context.
    expect(answer.context).toMatchObject({ elapsed_ms: expect.any(Number), address: expect.any(String) });
  });

  test("enough rows reach the function to mean something", () => {
    expect(truthTable.filter(isServed).length).toBeGreaterThan(40);
  });
});
