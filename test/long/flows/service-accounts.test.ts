import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { viewStores } from "../../support/stored.ts";

let platform: TestPlatform;
beforeAll(async () => {
  // Every token is looked up, so that a revoked one is refused at once.
  platform = await startPlatform({ context: { serviceAccountCacheSeconds: "0" } });
});
afterAll(() => platform.stop());

const manage = ["service_accounts:read", "service_accounts:write", "service_accounts:delete"];
const admin = () => clientOf(platform.url, platform.adminToken);
const user = (sub: string, ...scopes: string[]) => clientOf(platform.url, platform.token(sub, scopes));
const holderOf = (token: string) => clientOf(platform.url, token);
const scoped = (...scopes: string[]) => scopes.map((scope) => ({ scope }));
const nowSeconds = () => Math.floor(Date.now() / 1000);

let names = 0;
const aName = () => `account-${++names}`;
const mint = (body: object = {}, client = admin()) =>
  client.post("/service-accounts", { json: { name: aName(), ...body } });
const revoke = (id: string, client = admin()) => client.call("DELETE", `/service-accounts/${id}`);

describe("minting", () => {
  test("gives the default scopes for ninety days, and a token that is shown with its first characters", async () => {
    const { status, json, headers } = await mint();
    expect(status).toBe(201);
    expect(json).toMatchObject({
      principal: `sa:${json.name}`,
      user_id: "admin",
      created_by: "admin",
      last_used_at: null,
      revoked_at: null,
    });
    expect(json.scopes.map(({ raw }: { raw: string }) => raw)).toEqual([
      "agents:run",
      "teams:run",
      "workflows:run",
      "sessions:read",
      "config:read",
    ]);
    expect(json.expires_at - json.created_at).toBe(90 * 86_400);
    expect(json.token).toMatch(/^plat_pat_[0-9A-Za-z]{38,43}$/);
    expect(json.token_prefix).toBe(json.token.slice(0, 16));
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test.each(["Big", "-a", "_a", "a.b", "a:b", "a b", "a@b", "a\n", "", "a".repeat(64)])(
    "refuses the name %j",
    async (name) => {
      expect(await mint({ name })).toMatchObject({
        status: 422,
        json: { detail: [{ loc: ["body", "name"] }] },
      });
    },
  );

  test("takes a name of 63 characters", async () => {
    expect((await mint({ name: `${aName()}${"a".repeat(63)}`.slice(0, 63) })).status).toBe(201);
  });

  test.each([
    ["a plain text for a scope", { scopes: ["agents:run"] }, 422],
    ["the effect deny", { scopes: [{ scope: "agents:run", effect: "deny" }] }, 422],
    ["an unknown effect", { scopes: [{ scope: "agents:run", effect: "maybe" }] }, 422],
    ["a scope of one part", { scopes: scoped("foo") }, 400],
    ["a scope of four parts", { scopes: scoped("a:b:c:d") }, 400],
    ["a scope with an empty part", { scopes: scoped("agents:") }, 400],
    ["no day", { expires_in_days: 0 }, 422],
    ["too many days", { expires_in_days: 3651 }, 422],
  ])("refuses %s", async (_what, body, status) => {
    expect((await mint(body)).status).toBe(status);
  });

  test.each([
    "agents:write",
    "sessions:delete",
    "platform:admin",
    "service_accounts:read",
    "agents:a1:write",
  ])("grants the privileged %s only when requested, to an admin too", async (scope) => {
    const refused = await mint({ scopes: scoped(scope) });
    expect(refused).toMatchObject({ status: 400, json: { detail: expect.stringContaining(scope) } });
    expect((await mint({ scopes: scoped(scope), allow_privileged_scopes: true })).status).toBe(201);
  });

  test.each([
    ["agents:run", "agents:run", 201],
    ["agents:run", "agents:a1:run", 201],
    ["agents:*:run", "agents:run", 201],
    ["agents:run", "agents:*:run", 201],
    ["agents:a1:run", "agents:a1:run", 201],
    ["agents:a1:run", "agents:a2:run", 403],
    ["agents:a1:run", "agents:run", 403],
    ["agents:a1:run", "agents:*:run", 403],
    ["agents:run", "agents:read", 403],
    ["agents:run", "platform:admin", 403],
    ["platform:*:admin", "platform:admin", 403],
    ["platform:x:admin", "platform:admin", 403],
    ["platform:*:admin", "platform:*:admin", 201],
  ])("a holder of %s who grants %s is answered %i", async (held, asked, status) => {
    const minter = user("maria", ...manage, held);
    const answer = await mint({ scopes: scoped(asked), allow_privileged_scopes: true }, minter);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json.detail).toContain(asked);
  });

  test("what a holder of a scope like the admin scope grants opens nothing for admins", async () => {
    const minter = user("maria", ...manage, "platform:*:admin");
    expect((await minter.get("/queue/stats")).status).toBe(403);
    const { json } = await mint(
      { scopes: scoped("platform:*:admin"), allow_privileged_scopes: true },
      minter,
    );
    expect((await holderOf(json.token).get("/queue/stats")).status).toBe(403);
  });

  test("the default scopes are no exception: who does not hold them must name others", async () => {
    const minter = user("maria", ...manage);
    expect((await mint({}, minter)).status).toBe(403);
    expect((await mint({ scopes: [] }, minter)).status).toBe(201);
  });

  test("needs its scope, and a credential", async () => {
    const refused = await mint({}, user("maria", "agents:run"));
    expect(refused).toMatchObject({
      status: 403,
      json: { detail: "Insufficient permissions. Required scope(s): service_accounts:write" },
    });
    expect((await mint({}, clientOf(platform.url))).status).toBe(401);
  });

  test("a token without end has none, whatever number of days is asked for", async () => {
    const { json } = await mint({ never_expires: true, expires_in_days: 7 });
    expect(json.expires_at).toBeNull();
    expect((await mint({ expires_in_days: 7 })).json.expires_at).toBeCloseTo(nowSeconds() + 7 * 86_400, -2);
  });

  test("a service account mints within its own scopes, and its accounts belong to it", async () => {
    const { json: parent } = await mint({
      scopes: scoped("service_accounts:write", "agents:run"),
      allow_privileged_scopes: true,
    });
    const client = holderOf(parent.token);
    expect((await mint({ scopes: scoped("teams:run") }, client)).status).toBe(403);
    const child = await mint({ scopes: scoped("agents:a1:run") }, client);
    expect(child).toMatchObject({ status: 201, json: { user_id: parent.principal } });
  });

  test("of several who mint one name at once exactly one gets it", async () => {
    const name = aName();
    const answers = await Promise.all(Array.from({ length: 5 }, () => mint({ name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe("revoking", () => {
  test("refuses the token at once, works twice, and frees the name for the same principal", async () => {
    const { json: first } = await mint();
    const client = holderOf(first.token);
    expect((await client.get("/config")).status).toBe(200);
    expect((await mint({ name: first.name })).status).toBe(409);
    expect((await revoke(first.id)).status).toBe(204);
    expect((await client.get("/config")).status).toBe(401);
    expect((await revoke(first.id)).status).toBe(204);
    const second = await mint({ name: first.name });
    expect(second).toMatchObject({ status: 201, json: { principal: first.principal } });
    expect(second.json.id).not.toBe(first.id);
    expect((await client.get("/config")).status).toBe(401);
    expect((await holderOf(second.json.token).get("/config")).status).toBe(200);
    expect((await revoke(first.id)).status).toBe(204);
    expect((await holderOf(second.json.token).get("/config")).status).toBe(200);
  });

  test("an unknown account is 404, and one alone cannot be read", async () => {
    expect((await revoke("unknown")).status).toBe(404);
    expect((await admin().get("/service-accounts/some-id")).status).toBe(405);
  });
});

describe("the list", () => {
  test("pages by its own limits and never shows a token or its hash", async () => {
    const { json: minted } = await mint();
    const { status, json, text } = await admin().get("/service-accounts?limit=100");
    expect(status).toBe(200);
    expect(json.meta).toMatchObject({ page: 1, limit: 100, total_count: json.data.length });
    const listed = json.data.find(({ id }: { id: string }) => id === minted.id);
    const { token, ...shown } = minted;
    expect(listed).toEqual(shown);
    expect(text).not.toContain(token);
    expect(text).not.toMatch(/"token"|hash/);
    expect((await admin().get("/service-accounts?limit=101")).status).toBe(422);
    expect((await admin().get("/service-accounts?limit=1&page=2")).json.data).toHaveLength(1);
  });

  test("sorts as asked, falls back where it does not know, and hides what was revoked", async () => {
    const { json: revoked } = await mint();
    await revoke(revoked.id);
    const list = async (query: string): Promise<{ id: string; name: string; created_at: number }[]> =>
      (await admin().get(`/service-accounts?limit=100&${query}`)).json.data;
    const byName = (await list("sort_by=name&sort_order=asc")).map(({ name }) => name);
    expect(byName).toEqual(byName.toSorted());
    const byTime = (await list("sort_by=nonsense&sort_order=sideways")).map(({ created_at }) => created_at);
    expect(byTime).toEqual(byTime.toSorted((a, b) => b - a));
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids("")).toContain(revoked.id);
    expect(await ids("include_revoked=false")).not.toContain(revoked.id);
  });

  test("takes scopes apart", async () => {
    const scopes = scoped("system:read", "agents:*:run", "platform:admin");
    const { json } = await mint({ scopes, allow_privileged_scopes: true });
    const shown = (raw: string, namespace: string, sub_namespace: string | null, permission: string) => ({
      id: null,
      raw,
      namespace,
      sub_namespace,
      permission,
      value: "allow",
    });
    expect(json.scopes).toEqual([
      shown("system:read", "config", null, "read"),
      shown("agents:*:run", "agents", "*", "run"),
      shown("platform:admin", "platform", null, "admin"),
    ]);
  });

  test("shows users their own and unowned accounts; others' do not exist for them", async () => {
    const grant = { scopes: scoped("agents:run") };
    const maria = user("maria", ...manage, "agents:run");
    const otto = user("otto", ...manage, "agents:run");
    const { json: hers } = await mint(grant, maria);
    const nameless = clientOf(platform.url, platform.token("", ["platform:admin"]));
    const { json: nobodys } = await mint(grant, nameless);
    expect(nobodys.user_id).toBeNull();

    const idsOf = async (client: typeof maria) =>
      (await client.get("/service-accounts?limit=100")).json.data.map(({ id }: { id: string }) => id);
    expect(await idsOf(maria)).toEqual(expect.arrayContaining([hers.id, nobodys.id]));
    expect(await idsOf(otto)).not.toContain(hers.id);
    expect((await revoke(hers.id, otto)).status).toBe(404);
    expect((await revoke(nobodys.id, otto)).status).toBe(403);
    expect((await holderOf(hers.token).run("still here")).status).toBe(200);
    expect((await revoke(hers.id, maria)).status).toBe(204);
  });
});

describe("a token at work", () => {
  test("with the default scopes runs an agent and reads the configuration, and nothing more", async () => {
    const { json } = await mint();
    const client = holderOf(json.token);
    expect((await client.get("/config")).status).toBe(200);
    expect((await client.get("/agents")).status).toBe(403);
    const ran = await client.run("hello");
    expect(ran).toMatchObject({ status: 200, json: { user_id: json.principal } });
    expect((await client.poll(ran.json)).status).toBe(403);
  });

  test("passes the streaming entry point, and the HTTP API's own address", async () => {
    const { json } = await mint();
    const asked = { form: { message: "hello", stream: "false" } };
    for (const url of [platform.url, platform.apiUrl]) {
      expect((await clientOf(url, json.token).post("/agents/assistant/runs", asked)).status).toBe(200);
      expect((await clientOf(url, `${json.token}x`).post("/agents/assistant/runs", asked)).status).toBe(401);
    }
  });

  test("sees only what its account owns; with the admin scope it sees all", async () => {
    const scopes = scoped("agents:run", "agents:read");
    const { json: one } = await mint({ scopes });
    const { json: other } = await mint({ scopes });
    const { json: boss } = await mint({
      scopes: scoped("platform:admin"),
      allow_privileged_scopes: true,
    });
    const { json: run } = await holderOf(one.token).run("mine");
    expect((await holderOf(one.token).poll(run)).status).toBe(200);
    expect((await holderOf(other.token).poll(run)).status).toBe(404);
    expect((await holderOf(boss.token).poll(run)).status).toBe(200);
  });

  test("unknown, revoked and expired tokens are refused in the same words", async () => {
    const { json: revoked } = await mint();
    await revoke(revoked.id);
    const answers = [
      await holderOf(revoked.token).get("/config"),
      await holderOf("plat_pat_never0minted0anywhere0at0all").get("/config"),
      await holderOf("plat_pat_").get("/config"),
    ];
    for (const { status, text } of answers) expect([status, text]).toEqual([401, answers[0]?.text]);
    expect(answers[0]?.json.detail).toMatch(/invalid or expired/i);
  });

  test("its use is noted, and not again within a minute", async () => {
    const { json } = await mint();
    const usedAt = async (): Promise<number | null> =>
      (await admin().get("/service-accounts?limit=100")).json.data.find(
        ({ id }: { id: string }) => id === json.id,
      ).last_used_at;
    expect(await usedAt()).toBeNull();
    await holderOf(json.token).get("/config");
    const first = await usedAt();
    expect(first).toBeGreaterThanOrEqual(json.created_at);
    await holderOf(json.token).get("/config");
    expect(await usedAt()).toBe(first);
  });

  test("a table that cannot be read opens nothing", async () => {
    const { json } = await mint();
    const table = platform.model.tables.find(({ name }) => name.includes("ServiceAccounts"))?.name;
    platform.faults.set(({ service, operation, body }) =>
      service === "dynamodb" && operation === "GetItem" && body.TableName === table
        ? { status: 500, type: "InternalServerError" }
        : undefined,
    );
    try {
      for (const path of ["/config", "/agents/assistant/runs"]) {
        const method = path === "/config" ? "GET" : "POST";
        const answer = await holderOf(json.token).call(method, path);
        expect(answer).toMatchObject({ status: 503, json: { error_code: "UNAVAILABLE" } });
      }
    } finally {
      platform.faults.clear();
    }
    expect((await holderOf(json.token).get("/config")).status).toBe(200);
  });
});

test("the twenty-first bad token from one address within a minute is asked to wait; a good one still passes", async () => {
  const { json } = await mint();
  const bad = holderOf("plat_pat_never0minted0anywhere0at0all");
  // Earlier tests of this file have sent bad tokens too; their minute would end anywhere within this test.
  const stores = viewStores(platform);
  const Key = { pk: "failures#127.0.0.1", sk: "window" };
  await stores.db.client.send(new DeleteCommand({ TableName: stores.db.tables.service_accounts, Key }));
  stores.close();
  const answers: number[] = [];
  for (let i = 0; i < 21; i += 1) answers.push((await bad.get("/config")).status);
  const last = await bad.get("/config");
  expect(answers).toEqual([...Array(20).fill(401), 429]);
  expect(last).toMatchObject({ status: 429, json: { error_code: "TOO_MANY_REQUESTS" } });
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await holderOf(json.token).get("/config")).status).toBe(200);
});

describe("revoking an account that has minted others", () => {
  const minter = scoped("service_accounts:write", "agents:run");
  const mintBy = async (token: string) =>
    (await mint({ scopes: minter, allow_privileged_scopes: true }, holderOf(token))).json;

  test("revokes those at every level, and names them", async () => {
    const first = (await mint({ scopes: minter, allow_privileged_scopes: true })).json;
    const second = await mintBy(first.token);
    const third = await mintBy(second.token);
    const other = (await mint()).json;
    const { status, json } = await revoke(first.id);
    expect([status, json]).toEqual([
      200,
      { also_revoked: [second, third].map(({ id, name }) => ({ id, name })) },
    ]);
    const { data } = (await admin().get("/service-accounts")).json;
    const isRevoked = ({ id }: { id: string }) =>
      data.find((account: { id: string }) => account.id === id).revoked_at !== null;
    expect([first, second, third, other].map(isRevoked)).toEqual([true, true, true, false]);
    expect((await revoke(first.id)).status).toBe(204);
  });

  test("reaches those below one that was revoked before", async () => {
    const first = (await mint({ scopes: minter, allow_privileged_scopes: true })).json;
    const second = await mintBy(first.token);
    expect((await revoke(second.id)).status).toBe(204);
    expect((await revoke(first.id)).status).toBe(204);
  });
});
