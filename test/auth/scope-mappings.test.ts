import { describe, expect, test } from "vitest";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { parseScopeMappings } from "../../shared/auth/scopes/scope-mappings.ts";
import { mappableAccess } from "../../shared/routes/served-access.ts";
import { anIssuer } from "./an-issuer.ts";

const issuer = await anIssuer();
const served = mappableAccess({ A2A_PREFIX: "/a2a" });

const ask = async (
  mappings: object,
  request: string,
  scopes: readonly string[] | null,
  adminScope = "platform:admin",
) => {
  const [method = "", rawPath = ""] = request.split(" ");
  const authorize = createAuthorizer({
    issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] } }])),
    adminScope,
    now: Date.now,
    scopeMappings: parseScopeMappings(JSON.stringify(mappings), served),
  });
  const authorization = scopes ? await issuer.sign({ sub: "maria", scopes: [...scopes] }) : undefined;
  const decision = await authorize({ method, rawPath, headers: { authorization } });
  return decision.outcome === "allow" ? "allow" : `${decision.outcome}: ${decision.detail}`;
};

const refusedFor = (scopes: string) =>
  `forbidden: Insufficient permissions${scopes && `. Required scope(s): ${scopes}`}`;

describe("a scope mapping", () => {
  test.each([
    ["asks for all of its scopes", "GET /registry", ["x:write"], "x:write, y:read"],
    ["is met by the whole of a resource", "GET /registry", ["x:*:write", "y:read"], "allow"],
    [
      "is not met by one id of a foreign resource",
      "GET /registry",
      ["x:1:write", "y:read"],
      "x:write, y:read",
    ],
    ["of nothing needs a credential all the same", "GET /queue/stats", null, "unauthenticated"],
    ["of nothing needs no scope", "GET /queue/stats", [], "allow"],
    ["replaces the scopes of the row it names", "GET /config", ["shop:look"], "allow"],
    ["leaves nothing of the scopes it replaces", "GET /config", ["config:read"], "shop:look"],
    ["with a star replaces the scopes of the row", "DELETE /memories/7", ["shop:wipe"], "allow"],
    ["with a star leaves nothing of them", "DELETE /memories/7", ["memories:delete"], "shop:wipe"],
    ["with the row's own name replaces them too", "PATCH /memories/7", ["shop:edit"], "allow"],
    ["with another name in braces replaces them too", "GET /memories/7", ["shop:see"], "allow"],
    ["takes one segment for its star, not several", "GET /queue/jobs", [], "platform:admin"],
    ["satisfies no other rows", "GET /queue/jobs", ["shop:look"], "platform:admin"],
    ["is passed by an admin", "GET /registry", ["platform:admin"], "allow"],
  ])("%s", async (_what, request, scopes, expected) => {
    const mappings = {
      "GET /registry": ["x:write", "y:read"],
      "GET /config": ["shop:look"],
      "GET /queue/stats": [],
      "GET /queue/jobs/*": ["x:y"],
      "DELETE /memories/*": ["shop:wipe"],
      "PATCH /memories/{memory_id}": ["shop:edit"],
      "GET /memories/{id}": ["shop:see"],
    };
    const outcome = await ask(mappings, request, scopes);
    if (expected === "allow") expect(outcome).toBe("allow");
    else if (expected === "unauthenticated") expect(outcome).toMatch(/^unauthenticated/);
    else expect(outcome).toBe(refusedFor(expected));
  });

  test.each([
    ["a foreign scope", ["my:run"], ["my:run"], refusedFor("agents:run")],
    ["a foreign scope", ["my:run"], ["agents:run"], refusedFor("my:run")],
    ["a foreign scope", ["my:run"], ["agents:a1:run"], refusedFor("my:run")],
    ["a foreign scope", ["my:run"], ["my:a1:run", "agents:run"], refusedFor("my:run")],
    ["a foreign scope, held with the native one", ["my:run"], ["my:run", "agents:a1:run"], "allow"],
    ["a scope of another kind", ["teams:run"], ["agents:a1:run"], refusedFor("teams:run")],
    ["no scope", [], [], refusedFor("agents:run")],
    ["no scope", [], ["agents:a1:run"], "allow"],
  ])(
    "of an agent's route to %s is required in addition to the agent's own",
    async (_what, mapped, held, expected) => {
      for (const key of ["POST /agents/{agent_id}/runs", "POST /agents/*/runs"]) {
        expect(await ask({ [key]: mapped }, "POST /agents/a1/runs", held)).toBe(expected);
      }
    },
  );

  test("of the list of agents to nothing leaves it to those who may read some", async () => {
    const mappings = { "GET /agents": [] };
    expect(await ask(mappings, "GET /agents", [])).toBe(refusedFor("agents:read"));
    expect(await ask(mappings, "GET /agents", ["agents:a1:read"])).toBe("allow");
  });

  test("to the admin scope is met by admins alone", async () => {
    const mappings = { "GET /config": ["ops:admin"] };
    for (const held of ["ops:*:admin", "ops:x:admin", "platform:admin"]) {
      expect(await ask(mappings, "GET /config", [held], "ops:admin")).toBe(refusedFor("ops:admin"));
    }
    expect(await ask(mappings, "GET /config", ["ops:admin"], "ops:admin")).toBe("allow");
  });

  test("cannot make a route public, nor a public one guarded", async () => {
    expect(await ask({ "GET /config": [] }, "GET /config", null)).toMatch(/^unauthenticated/);
    expect(await ask({ "GET /health": ["x:y"] }, "GET /health", null)).toBe("allow");
  });
});

describe("a set of mappings", () => {
  test.each(["nonsense", "[]", '{"/config":[]}', '{"PUT /config":[]}', '{"GET /config":"x"}'])(
    "%s is not usable",
    (text) => {
      expect(() => parseScopeMappings(text, served)).toThrow(/SCOPE_MAPPINGS/);
    },
  );

  test.each([
    ["DELETE /memorys/*", "DELETE /memories/{memory_id}"],
    ["GET /agents/assistant", "GET /agents/{agent_id}"],
    ["GET /sessions/*/run", "GET /sessions/{session_id}/runs"],
    ["PUT /config", "GET /config"],
    ["POST /chat/agents/*/v1/message:send", "POST /a2a/agents/{agent_id}/v1/message:send"],
  ])("%s stops the start and names %s", (key, nearest) => {
    const text = `{${JSON.stringify(key)}: ["x:y"]}`;
    expect(() => parseScopeMappings(text, served)).toThrow(
      `"${key}" is no route; the nearest is "${nearest}"`,
    );
  });

  test("names a route once, in whatever spelling", () => {
    const text = JSON.stringify({ "DELETE /memories/*": [], "DELETE /memories/{memory_id}": ["x:y"] });
    expect(() => parseScopeMappings(text, served)).toThrow(/are the same route/);
  });

  test("reads the interface's own spelling of its routes", () => {
    const keys = [
      ...["GET /components/*/configs/current", "POST /components/*/configs/*/set-current"],
      ...["POST /teams/*/runs/*/continue", "GET /workflows/*", "DELETE /sessions/*", "DELETE /sessions"],
      ...["GET /knowledge/*/sources/*/files", "DELETE /service-accounts/*", "POST /approvals/*/resolve"],
      ...["GET /schedules/*/runs/*", "POST /databases/*/migrate", "POST /a2a/teams/*/v1/tasks:get"],
    ];
    const text = JSON.stringify(Object.fromEntries(keys.map((key) => [key, ["x:y"]])));
    expect(parseScopeMappings(text, served).size).toBe(keys.length);
  });
});

describe("what is mapped for the runs of agents", () => {
  const mappings = { "POST /agents/*/runs": ["my:run"], "GET /agents/*/runs/*": ["my:look"] };
  const native = ["agents:run", "agents:read", "teams:run"];

  test.each([
    ["POST /agents/a1/agui", "my:run"],
    ["POST /a2a/agents/a1/v1/message:send", "my:run"],
    ["POST /a2a/agents/a1/v1/message:stream", "my:run"],
    ["POST /a2a/agents/a1", "my:run"],
    ["POST /a2a/agents/a1/v1", "my:run"],
    ["POST /a2a/message/send", "agents:run, my:run"],
    ["POST /a2a/message/stream", "agents:run, my:run"],
    ["POST /mcp", "my:run"],
    ["POST /agui", "my:run"],
    ["GET /a2a/agents/a1/v1/tasks/t1", "my:look"],
    ["GET /a2a/agents/a1/v1/tasks", "my:look"],
  ])("is asked for by %s too", async (request, scope) => {
    expect(await ask(mappings, request, native)).toBe(refusedFor(scope));
    expect(await ask(mappings, request, [...native, ...scope.split(", ")])).toBe("allow");
  });

  test.each(["POST /teams/t1/agui", "POST /a2a/teams/t1/v1/message:send"])(
    "is not asked for by %s",
    async (request) => {
      expect(await ask(mappings, request, native)).toBe("allow");
    },
  );

  test("gives way to a mapping of the route itself", async () => {
    expect(await ask({ ...mappings, "POST /mcp": [] }, "POST /mcp", [])).toBe("allow");
    expect(
      await ask({ ...mappings, "POST /agents/*/agui": ["ui:run"] }, "POST /agents/a1/agui", native),
    ).toBe(refusedFor("ui:run"));
  });

  test("leaves the native scope required on a component's route", async () => {
    expect(await ask(mappings, "POST /agents/a1/agui", ["my:run"])).toBe(refusedFor("agents:run"));
  });
});
