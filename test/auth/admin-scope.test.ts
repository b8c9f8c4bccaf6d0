import { describe, expect, test } from "vitest";
import { planMint } from "../../functions/service-accounts/plan-mint.ts";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { mayGrant } from "../../shared/auth/scopes/may-grant.ts";
import { scopeNames } from "../../shared/auth/scopes/scopes.ts";
import { anIssuer } from "./an-issuer.ts";

const issuer = await anIssuer();

/** The principal of a token with these scopes, by the real authorizer, and its answer on a route for admins. */
async function holderOf(scopes: readonly string[], adminScope: string) {
  const authorize = createAuthorizer({
    issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] } }])),
    adminScope,
    now: Date.now,
  });
  const authorization = await issuer.sign({ sub: "maria", scopes: [...scopes] });
  const ask = (rawPath: string) => authorize({ method: "GET", rawPath, headers: { authorization } });
  const identified = await ask("/no-such-path");
  if (identified.outcome !== "allow") throw new Error("the token is not accepted");
  return { principal: identified.principal, onAdminRoute: (await ask("/queue/stats")).outcome };
}

/** [configured admin scope, held, whether that makes an admin] */
const table = [
  ["platform:admin", "platform:admin", true],
  ["platform:admin", "platform:*:admin", false],
  ["platform:admin", "platform::admin", false],
  ["platform:admin", "platform:x:admin", false],
  ["platform:admin", "platform:*", false],
  ["platform:admin", "PLATFORM:ADMIN", false],
  ["platform:admin", " platform:admin", false],
  ["platform:prod:admin", "platform:prod:admin", true],
  ["platform:prod:admin", "platform:admin", false],
  ["platform:prod:admin", "platform:*:admin", false],
  ["platform:*:admin", "platform:*:admin", true],
  ["platform:*:admin", "platform:admin", false],
  ["system:root", "system:root", true],
  ["system:root", "config:root", false],
  ["system:root", "system:*:root", false],
  ["config:root", "system:root", false],
  ["root", "root", true],
  ["root", "root:root", false],
] as const;

test("several admin scopes are distinguished as whole texts, and a refusal names the first", async () => {
  const configured = "platform:admin,agent_os:admin";
  for (const held of ["platform:admin", "agent_os:admin"]) {
    const { principal, onAdminRoute } = await holderOf([held], configured);
    expect([principal.admin, onAdminRoute]).toEqual([true, "allow"]);
  }
  for (const held of [configured, "agent_os:*:admin", "admin", ",", "agent_os"]) {
    const { principal, onAdminRoute } = await holderOf([held, "service_accounts:write"], configured);
    expect([principal.admin, onAdminRoute]).toEqual([false, "forbidden"]);
    expect(mayGrant(principal, "agent_os:admin", configured)).toBe(false);
  }
  expect(scopeNames(["platform:admin"], configured)).toEqual(["platform:admin"]);
});

test("the peer's admin scope makes no admin unless it is configured", async () => {
  expect((await holderOf(["agent_os:admin"], "platform:admin")).principal.admin).toBe(false);
});

describe.each(table)("where %s is the admin scope, a holder of %s", (adminScope, held, admin) => {
  test(admin ? "is an admin, and grants it" : "is none, and grants no admin", async () => {
    const { principal, onAdminRoute } = await holderOf([held, "service_accounts:write"], adminScope);
    expect([principal.admin, onAdminRoute]).toEqual([admin, admin ? "allow" : "forbidden"]);
    const body = {
      name: "helper",
      scopes: [{ scope: adminScope, effect: "allow" as const }],
      expires_in_days: null,
      never_expires: false,
      allow_privileged_scopes: true,
    };
    const mint = () => planMint(body, principal, adminScope, 0);
    if (admin) expect(mint().scopes).toEqual([adminScope]);
    else expect(mint).toThrow(`Scopes that you do not hold: ${adminScope}`);
  });
});
