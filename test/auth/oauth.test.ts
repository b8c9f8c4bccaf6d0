import { once } from "node:events";
import { createServer } from "node:net";
import { PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authorizeApp } from "../../functions/service-accounts/oauth/authorize-app.ts";
import { listConnectedApps } from "../../functions/service-accounts/oauth/list-connected-apps.ts";
import { isUsableRedirect, matchesRedirect } from "../../functions/service-accounts/oauth/redirects.ts";
import { removeConnectedApp } from "../../functions/service-accounts/oauth/remove-connected-app.ts";
import { revokeOauthToken } from "../../functions/service-accounts/oauth/revoke-oauth-token.ts";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { offeredScopes } from "../../shared/auth/scopes/offered-scopes.ts";
import { Reply } from "../../shared/http/handler.ts";
import { AddressRefused, guardedCalls } from "../../shared/outbound/guarded-calls.ts";
import { accessStoreOver } from "../../shared/stores/service-accounts/access-store.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { CALLBACK, CHALLENGE, ISSUER, maria, oauthWorld, RESOURCE, VERIFIER } from "./oauth-world.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const codeIn = (url: URL): string => url.searchParams.get("code") ?? "";

describe("redirects", () => {
  /** As these clients name them. */
  const clients = {
    "Claude.ai": "https://claude.ai/api/mcp/auth_callback",
    "Claude.com": "https://claude.com/api/mcp/auth_callback",
    "Claude Code": "http://localhost/callback",
    "VS Code": "http://127.0.0.1/",
    "VS Code's site": "https://vscode.dev/redirect",
    Cursor: "cursor://anysphere.cursor-mcp/oauth/callback",
    "Cursor's site": "https://www.cursor.com/agents/mcp/oauth/callback",
    "Cursor's command line": "http://localhost:8787/callback",
  };

  test.each(Object.entries(clients))(
    "of %s are taken, and with one character changed refused",
    (_, address) => {
      expect(matchesRedirect([address], address)).toBe(true);
      const last = address.at(-1) === "x" ? "y" : "x";
      for (const changed of [
        `${address.slice(0, -1)}${last}`,
        `${address}x`,
        `${address}/`,
        `${address}?a=b`,
        address.toUpperCase(),
      ])
        expect(matchesRedirect([address], changed)).toBe(false);
    },
  );

  test("of three kinds in one registration lead back, each as it is written", async () => {
    const world = oauthWorld(stores.db);
    const own = [clients.Cursor, clients["Cursor's site"], clients["Cursor's command line"]];
    const { body } = await world.registration({ client_name: "Cursor", redirect_uris: own });
    expect(body.redirect_uris).toEqual(own);
    for (const redirect_uri of own) {
      const url = await world.decide(world.asked(body.client_id, { redirect_uri }));
      expect(url.href.startsWith(`${redirect_uri}?code=`)).toBe(true);
      const changed = { redirect_uri: `${redirect_uri.slice(0, -1)}x` };
      await expect(world.check(world.asked(body.client_id, changed))).rejects.toThrow("not its own");
    }
  });

  test("of a program on the user's machine come with any port; those of a host do not", () => {
    expect(matchesRedirect(["http://localhost/callback"], "http://localhost:51234/callback")).toBe(true);
    expect(matchesRedirect(["http://127.0.0.1:1/"], "http://127.0.0.1:2/")).toBe(true);
    expect(matchesRedirect(["http://127.0.0.1/"], "http://localhost/")).toBe(false);
    expect(matchesRedirect(["http://127.0.0.1/a"], "http://127.0.0.1:9/b")).toBe(false);
    expect(matchesRedirect(["https://desk.example/a"], "https://desk.example:444/a")).toBe(false);
    expect(matchesRedirect(["http://localhost/callback"], "http://localhost:1@evil.example/callback")).toBe(
      false,
    );
    expect(matchesRedirect(["http://localhost/callback"], "http://localhost.evil.example/callback")).toBe(
      false,
    );
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,hello",
    "file:///etc/passwd",
    "http://desk.example/callback",
    "https://desk.example/callback#fragment",
    "https://user:secret@desk.example/callback",
    "https://desk.example/a b",
    "blob:https://desk.example/1",
    "callback",
    "",
  ])("that a client may not have: %s", (address) => {
    expect(isUsableRedirect(address)).toBe(false);
    expect(matchesRedirect([address], address)).toBe(false);
  });
});

describe("scopes of an app", () => {
  test("are those it asks for that its user holds, and never an admin's", () => {
    const offered = (asked?: string) => offeredScopes(maria, asked, "platform:admin");
    expect(offered()).toEqual(["agents:run", "teams:desk:run", "sessions:read"]);
    expect(offered("agents:run components:write platform:admin")).toEqual(["agents:run"]);
    expect(offered("workflows:run")).toEqual([]);
    const admin = { admin: true, scopes: ["platform:admin"] };
    expect(offeredScopes(admin, undefined, "platform:admin")).not.toContain("platform:admin");
  });
});

describe("a request of a client", () => {
  test("goes on to our own page, whatever it names", async () => {
    const query = { client_id: "unknown", redirect_uri: "https://evil.example/", state: "a b" };
    const answer = await authorizeApp({ query } as never, {});
    if (!(answer instanceof Reply)) throw new Error("it is no reply");
    expect(answer.status).toBe(302);
    const [page, given] = answer.headers.location?.split("?") ?? [];
    expect(page).toBe("/console/connect");
    expect(Object.fromEntries(new URLSearchParams(given))).toEqual(query);
  });

  test("with an unknown client, or a redirect that is not its own, is sent nowhere", async () => {
    const world = oauthWorld(stores.db);
    const client = await world.register();
    for (const unknown of ["app-unknown", "", `app-${"0".repeat(32)}`, "é".repeat(2_000)])
      await expect(world.check(world.asked(unknown))).rejects.toThrow("not known");
    for (const redirect_uri of ["https://desk.example/callback/", "https://evil.example/callback", undefined])
      await expect(world.check(world.asked(client, { redirect_uri }))).rejects.toThrow("not its own");
  });

  test.each([
    ["no PKCE", { code_challenge: undefined }, "invalid_request"],
    ["plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["a challenge of another length", { code_challenge: `${CHALLENGE}A` }, "invalid_request"],
    ["no resource", { resource: undefined }, "invalid_target"],
    ["another resource", { resource: `${ISSUER}/agents` }, "invalid_target"],
    ["implicit", { response_type: "token" }, "unsupported_response_type"],
    ["scopes that the user does not hold", { scope: "workflows:run" }, "access_denied"],
  ])("with %s is refused at its redirect, with issuer and state", async (_, changes, error) => {
    const world = oauthWorld(stores.db);
    const url = await world.decide(world.asked(await world.register(), changes));
    expect(url.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error, iss: ISSUER, state: "s%20+/é" });
    expect(url.searchParams.has("code")).toBe(false);
  });

  test("is decided by users alone", async () => {
    const world = oauthWorld(stores.db);
    const asked = world.asked(await world.register());
    for (const kind of ["service_account", "internal", "anonymous"] as const)
      await expect(world.check(asked, { ...maria, kind })).rejects.toThrow("Only a user");
    await expect(world.check(asked, { ...maria, user_id: null })).rejects.toThrow("Only a user");
  });

  test("is let in with what the user ticked, as far as it was offered; or not at all", async () => {
    const world = oauthWorld(stores.db);
    const asked = world.asked(await world.register());
    const ticked = await world.decide(asked, ["sessions:read", "components:write", "platform:admin"]);
    expect(ticked.searchParams.get("iss")).toBe(ISSUER);
    expect(ticked.searchParams.get("state")).toBe("s%20+/é");
    const { body } = await world.token(world.exchange(asked.client_id ?? "", codeIn(ticked)));
    expect(body.scope).toBe("sessions:read");
    for (const refused of [
      await world.decide(asked, []),
      await world.decide(asked, ["platform:admin"]),
      await world.decide(asked, ["agents:run"], { approve: false }),
    ])
      expect(refused.searchParams.get("error")).toBe("access_denied");
  });
});

describe("a code", () => {
  test("needs its client, redirect, verifier and resource", async () => {
    const world = oauthWorld(stores.db);
    const client = await world.register();
    const fields = world.exchange(client, codeIn(await world.decide(world.asked(client))));
    const wrong = {
      client_id: await world.register(),
      redirect_uri: `${CALLBACK}/`,
      code_verifier: `${fields.code_verifier}x`,
      resource: `${RESOURCE}/`,
      code: `${fields.code.slice(0, -1)}_`,
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect((await world.token({ ...fields, [name]: value })).status).toBe(400);
      const { [name]: _, ...without } = fields as Record<string, string>;
      expect((await world.token(without)).status).toBe(400);
    }
    expect((await world.token(fields)).status).toBe(200);
  });

  test("is good for a minute", async () => {
    const world = oauthWorld(stores.db);
    const client = await world.register();
    const code = codeIn(await world.decide(world.asked(client)));
    world.clock.advance(60_000);
    expect((await world.token(world.exchange(client, code))).body.error).toBe("invalid_grant");
  });

  test("is good once: what comes back ends what it has led to, also at the same time", async () => {
    const world = oauthWorld(stores.db);
    const { client_id, code, access, refresh } = await world.connected();
    expect((await world.call(access)).outcome).toBe("allow");
    expect((await world.token(world.exchange(client_id, code))).body.error).toBe("invalid_grant");
    expect((await world.call(access)).outcome).toBe("unauthenticated");
    expect((await world.refresh(client_id, refresh)).body.error).toBe("invalid_grant");

    const other = codeIn(await world.decide(world.asked(client_id)));
    const both = await Promise.all([1, 2, 3].map(() => world.token(world.exchange(client_id, other))));
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of both.filter(({ status }) => status === 200))
      expect((await world.call(body.access_token)).outcome).toBe("unauthenticated");
  });
});

describe("an access token", () => {
  test("acts as its user at the MCP server, with what was granted, and is refused everywhere else", async () => {
    const world = oauthWorld(stores.db);
    const { access } = await world.connected(["agents:run"]);
    expect(await world.call(access)).toMatchObject({
      outcome: "allow",
      principal: {
        ...{ kind: "user", user_id: "maria", scopes: ["agents:run"], admin: false },
        app: expect.any(String),
      },
    });
    for (const path of ["/agents", "/v1/models", "/oauth/apps", "/sessions", "/service-accounts", "/nothing"])
      expect((await world.call(access, path, "GET")).outcome).toBe("unauthenticated");
    expect((await world.call(access, "/mcp", "GET")).outcome).toBe("unauthenticated");
    expect((await world.call(`${access}x`)).outcome).toBe("unauthenticated");
  });

  test("ends after half an hour", async () => {
    const world = oauthWorld(stores.db);
    const { access } = await world.connected();
    world.clock.advance(1_800_000);
    expect((await world.call(access)).outcome).toBe("unauthenticated");
  });
});

describe("a refresh token", () => {
  test("is replaced at each use; the one before gives the same answer for half a minute, and then ends all", async () => {
    const world = oauthWorld(stores.db);
    const { client_id, refresh } = await world.connected();
    const first = (await world.refresh(client_id, refresh)).body;
    const [second, third] = await Promise.all([
      world.refresh(client_id, refresh),
      world.refresh(client_id, refresh),
    ]);
    expect(first.refresh_token).not.toBe(refresh);
    for (const { body } of [second, third]) {
      expect(body.refresh_token).toBe(first.refresh_token);
      expect((await world.call(body.access_token)).outcome).toBe("allow");
    }
    const next = await world.refresh(client_id, first.refresh_token);
    expect(next.status).toBe(200);
    world.clock.advance(31_000);
    expect((await world.refresh(client_id, first.refresh_token)).body.error).toBe("invalid_grant");
    expect((await world.refresh(client_id, next.body.refresh_token)).body.error).toBe("invalid_grant");
    expect((await world.call(next.body.access_token)).outcome).toBe("unauthenticated");
  });

  test("that is used twice at once gives one successor", async () => {
    const world = oauthWorld(stores.db);
    const { client_id, refresh } = await world.connected();
    const answers = await Promise.all([1, 2, 3].map(() => world.refresh(client_id, refresh)));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  test("is for its client alone, for no more than was granted, and until the grant ends", async () => {
    const world = oauthWorld(stores.db);
    const { client_id, refresh } = await world.connected(["agents:run", "sessions:read"]);
    expect((await world.refresh(await world.register(), refresh)).body.error).toBe("invalid_grant");
    const fields = { grant_type: "refresh_token", client_id, refresh_token: refresh };
    expect((await world.token({ ...fields, scope: "teams:run" })).body.error).toBe("invalid_scope");
    expect((await world.token({ ...fields, scope: "agents:run" })).body.scope).toBe("agents:run");
    world.clock.advance(86_400_000);
    expect((await world.refresh(client_id, refresh)).body.error).toBe("invalid_grant");
  });
});

describe("a connected app", () => {
  const request = (principal: object, params: object = {}, query: object = {}) =>
    ({ principal, params, query, headers: {} }) as never;

  test("is listed for its user, and ended by the user or an admin alone", async () => {
    const world = oauthWorld(stores.db);
    const owner = { ...maria, user_id: "oauth-owner" };
    const asked = world.asked(await world.register());
    const code = codeIn(await world.decide(asked, ["agents:run"], { principal: owner }));
    const { body } = await world.token(world.exchange(asked.client_id ?? "", code));
    const otto = { ...maria, user_id: "otto" };
    const admin = { ...maria, user_id: "root", admin: true };
    const list = async (who: object, query: object = {}) => {
      const answer = await listConnectedApps(request(who, {}, query), world.deps);
      return "data" in answer ? answer.data : [];
    };
    const [app] = await list(owner);
    expect(app).toMatchObject({ name: "Desk", host: null, goes_to: "desk.example", scopes: ["agents:run"] });
    expect(JSON.stringify(app)).not.toMatch(/hash|salt|apo_|apr_/);
    expect(await list(otto)).toEqual([]);
    await expect(list(otto, { user_id: "oauth-owner" })).rejects.toThrow("only an admin");
    expect(await list(admin, { user_id: "oauth-owner" })).toHaveLength(1);
    const params = { app_id: app?.id };
    await expect(removeConnectedApp(request(otto, params), world.deps)).rejects.toThrow("not found");
    expect((await world.call(body.access_token)).outcome).toBe("allow");
    await removeConnectedApp(request(owner, params), world.deps);
    expect((await world.call(body.access_token)).outcome).toBe("unauthenticated");
    expect((await world.refresh(asked.client_id ?? "", body.refresh_token)).body.error).toBe("invalid_grant");
    expect(await list(owner)).toEqual([]);
  });

  test("that was removed is refused once its token has been read half a minute ago, and read no more often", async () => {
    const world = oauthWorld(stores.db);
    const reads: string[] = [];
    const kept = accessStoreOver(stores.db);
    const findAppToken: typeof kept.findAppToken = async (hash) => {
      reads.push(hash);
      return kept.findAppToken(hash);
    };
    const authorize = createAuthorizer({
      ...{ issuers: [], adminScope: "platform:admin", now: world.clock.now },
      ...{ appTokens: true, cacheSeconds: 30, store: async () => ({ ...kept, findAppToken }) },
    });
    const owner = { ...maria, user_id: "removes-an-app" };
    const asked = world.asked(await world.register());
    const code = codeIn(await world.decide(asked, ["agents:run"], { principal: owner }));
    const { body } = await world.token(world.exchange(asked.client_id ?? "", code));
    const headers = { authorization: `Bearer ${body.access_token}` };
    const outcome = async () => (await authorize({ method: "POST", rawPath: "/mcp", headers })).outcome;
    expect(await outcome()).toBe("allow");
    const listed = await listConnectedApps(request(owner), world.deps);
    const params = { app_id: "data" in listed ? listed.data[0]?.id : undefined };
    await removeConnectedApp(request(owner, params), world.deps);
    world.clock.advance(29_000);
    await outcome();
    expect(reads).toHaveLength(1);
    world.clock.advance(1_000);
    expect(await outcome()).toBe("unauthenticated");
    expect(reads).toHaveLength(2);
  });

  test("ends itself by either of its tokens; an unknown one is answered the same", async () => {
    const world = oauthWorld(stores.db);
    for (const which of ["access", "refresh"] as const) {
      const tokens = await world.connected();
      const revoke = async (token: string) => {
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        const answer = await revokeOauthToken({ headers, body: `token=${token}` } as never, world.deps);
        return answer instanceof Reply ? answer.status : 0;
      };
      expect(await revoke("apo_unknown")).toBe(200);
      expect((await world.call(tokens.access)).outcome).toBe("allow");
      expect(await revoke(tokens[which])).toBe(200);
      expect((await world.call(tokens.access)).outcome).toBe("unauthenticated");
    }
  });
});

test("codes, tokens and verifiers are in no table and no log line", async () => {
  const lines: unknown[] = [];
  const write = (...said: unknown[]) => void lines.push(said);
  const world = oauthWorld(stores.db, {}, { info: write, warn: write, error: write });
  const { client_id, code, access, refresh } = await world.connected();
  const { body } = await world.refresh(client_id, refresh);
  world.clock.advance(31_000);
  // What comes back later is logged, as it ends the grant.
  expect((await world.refresh(client_id, refresh)).status).toBe(400);
  expect(lines).toHaveLength(1);
  const { Items } = await stores.db.client.send(
    new ScanCommand({ TableName: stores.db.tables.service_accounts }),
  );
  const kept = JSON.stringify([Items, lines]);
  expect(kept).toContain(client_id);
  for (const secret of [code, access, refresh, body.access_token, body.refresh_token, VERIFIER])
    expect(kept).not.toContain(secret);
});

describe("a client", () => {
  test("that registers keeps the redirects that can be used, and is forgotten after an hour unless it is let in", async () => {
    const world = oauthWorld(stores.db);
    const { body } = await world.registration({
      client_name: "Cursor\u202e\n",
      redirect_uris: ["http://desk.example/", "javascript:alert(1)", CALLBACK],
      token_endpoint_auth_method: "client_secret_basic",
    });
    expect(body).toMatchObject({
      client_name: "Cursor",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
    });
    expect(body).not.toHaveProperty("client_secret");
    const kept = await world.register();
    await world.decide(world.asked(kept));
    world.clock.advance(3_600_000);
    await expect(world.check(world.asked(body.client_id))).rejects.toThrow("not known");
    expect(await world.check(world.asked(kept))).toHaveProperty("client");
  });

  test("is the last that may register in an hour where a thousand did", async () => {
    const world = oauthWorld(stores.db);
    await world.register();
    const Key = { pk: "registrations", sk: "window" };
    const TableName = stores.db.tables.service_accounts;
    const expires_at = Math.floor(world.clock.now() / 1000) + 3_600;
    await stores.db.client.send(new PutCommand({ TableName, Item: { ...Key, count: 999, expires_at } }));
    await world.register();
    const refused = await world.registration({ redirect_uris: [CALLBACK] });
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "3600" } });
    world.clock.advance(3_600_000);
    expect((await world.registration({ redirect_uris: [CALLBACK] })).status).toBe(201);
  });

  test.each([
    { redirect_uris: [] },
    {},
    "no object",
    { redirect_uris: ["javascript:alert(1)"] },
    { redirect_uris: "a" },
  ])("that describes itself as %j is refused", async (body) => {
    expect((await oauthWorld(stores.db).registration(body)).status).toBe(400);
  });

  const id = "https://desk.example/client.json";
  const document = { client_id: id, client_name: "Desk", redirect_uris: [CALLBACK] };
  const json = (value: unknown) => () => Response.json(value);

  test("is known by the document at its address", async () => {
    const world = oauthWorld(stores.db, { [id]: json(document) });
    expect(await world.check(world.asked(id))).toMatchObject({
      client: { name: "Desk", host: "desk.example" },
    });
    const code = codeIn(await world.decide(world.asked(id)));
    expect((await world.token(world.exchange(id, code))).status).toBe(200);
  });

  test.each([
    ["a document of another client", "https://two.example/client.json", json(document)],
    [
      "a redirect",
      "https://three.example/client.json",
      () => new Response(null, { status: 302, headers: { location: id } }),
    ],
    ["a megabyte", "https://four.example/client.json", () => new Response("x".repeat(1_000_000))],
    ["no JSON", "https://five.example/client.json", () => new Response("<html>")],
    [
      "an address without a path",
      "https://six.example/",
      json({ ...document, client_id: "https://six.example/" }),
    ],
  ])("is not known by %s", async (_, address, made) => {
    const world = oauthWorld(stores.db, { [address]: made });
    await expect(world.check(world.asked(address))).rejects.toThrow("not known");
  });

  test("is not known by an address that is not public, to which no connection is made", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const refusals: unknown[] = [];
    const info = (_: string, { error }: { readonly error?: unknown } = {}) => void refusals.push(error);
    const log = { info, warn: () => {}, error: () => {} };
    const world = oauthWorld(stores.db, {}, log, { fetchDocument: guardedCalls([]) });
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::ffff:7f00:1]:${port}`];
    const all = [...hosts, "localhost", "169.254.169.254", "[fd00:ec2::254]"];
    for (const host of all)
      await expect(world.check(world.asked(`https://${host}/c.json`))).rejects.toThrow("not known");
    expect(refusals).toEqual(all.map(() => expect.any(AddressRefused)));
    expect(connections).toBe(0);
    server.close();
  });
});
