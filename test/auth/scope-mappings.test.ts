import { describe, expect, test } from "vitest";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/issuers.ts";
import { parseScopeMappings } from "../../shared/auth/scope-mappings.ts";
import { anIssuer } from "./an-issuer.ts";

const issuer = await anIssuer();

const ask = async (mappings: object, request: string, scopes: readonly string[] | null) => {
  const [method = "", rawPath = ""] = request.split(" ");
  const authorize = createAuthorizer({
    issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] } }])),
    adminScope: "platform:admin",
    now: Date.now,
    scopeMappings: parseScopeMappings(JSON.stringify(mappings)),
  });
  const authorization = scopes ? await issuer.sign({ sub: "maria", scopes: [...scopes] }) : undefined;
  const decision = await authorize({ method, rawPath, headers: { authorization } });
  return decision.outcome === "allow" ? "allow" : `${decision.outcome}: ${decision.detail}`;
};

const refusedFor = (scopes: string) =>
  `forbidden: Insufficient permissions${scopes && `. Required scope(s): ${scopes}`}`;

describe("a scope mapping", () => {
  test.each([
    ["of a path that no row serves asks for all of its scopes", "POST /x/1", ["x:write"], "x:write, y:read"],
    ["is met by the whole of a resource", "POST /x/1", ["x:*:write", "y:read"], "allow"],
    ["of nothing needs a credential all the same", "GET /pub", null, "unauthenticated"],
    ["of nothing needs no scope", "GET /pub", [], "allow"],
    ["takes one segment for its star, not several", "POST /x/1/2", [], "allow"],
    ["replaces the scopes of the very row it names", "GET /config", ["shop:look"], "allow"],
    ["leaves nothing of the scopes it replaces", "GET /config", ["config:read"], "shop:look"],
    ["may open a row to every credential", "GET /queue/stats", [], "allow"],
    ["in another spelling does not replace a row's scopes", "GET /queue/jobs/7", ["x:y"], "platform:admin"],
    ["satisfies nobody's own rows", "GET /queue/jobs", ["shop:look"], "platform:admin"],
    ["is passed by an admin", "POST /x/1", ["platform:admin"], "allow"],
  ])("%s", async (_what, request, scopes, expected) => {
    const mappings = {
      "POST /x/{i}": ["x:write", "y:read"],
      "GET /pub": [],
      "GET /config": ["shop:look"],
      "GET /queue/stats": [],
      "GET /queue/jobs/*": ["x:y"],
    };
    const outcome = await ask(mappings, request, scopes);
    if (expected === "allow") expect(outcome).toBe("allow");
    else if (expected === "unauthenticated") expect(outcome).toMatch(/^unauthenticated/);
    else expect(outcome).toBe(refusedFor(expected));
  });

  test.each([
    ["a foreign scope", ["my:run"], ["my:run"], refusedFor("my:run")],
    ["a foreign scope, held with the native one", ["my:run"], ["my:run", "agents:a1:run"], "allow"],
    ["no scope", [], [], refusedFor("agents:run")],
    ["no scope", [], ["agents:a1:run"], "allow"],
  ])("of an agent's route to %s never replaces the agent's own", async (_what, mapped, held, expected) => {
    const mappings = { "POST /agents/{agent_id}/runs": mapped };
    expect(await ask(mappings, "POST /agents/a1/runs", held)).toBe(expected);
  });

  test("of the list of agents to nothing leaves it to those who may read some", async () => {
    const mappings = { "GET /agents": [] };
    expect(await ask(mappings, "GET /agents", [])).toBe(refusedFor("agents:read"));
    expect(await ask(mappings, "GET /agents", ["agents:a1:read"])).toBe("allow");
  });

  test("cannot make a route public, nor a public one guarded", async () => {
    expect(await ask({ "GET /config": [] }, "GET /config", null)).toMatch(/^unauthenticated/);
    expect(await ask({ "GET /health": ["x:y"] }, "GET /health", null)).toBe("allow");
  });

  test.each(["nonsense", "[]", '{"/config":[]}', '{"PUT /config":[]}', '{"GET /config":"x"}'])(
    "%s is no set of mappings",
    (text) => {
      expect(() => parseScopeMappings(text)).toThrow(/SCOPE_MAPPINGS/);
    },
  );
});
