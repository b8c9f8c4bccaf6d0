import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAskIssuer } from "../../functions/service-accounts/oauth/ask-issuer.ts";
import { describeConsent } from "../../functions/service-accounts/oauth/describe-consent.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import type { Db } from "../../shared/stores/db.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { CLIENT_ID, type OidcProvider, startOidcProvider } from "../support/oidc-provider.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { maria, oauthWorld } from "./oauth-world.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

let issuer: OidcProvider;
beforeEach(async () => {
  issuer = await startOidcProvider();
});
afterEach(() => issuer.stop());

/** Sign-in of a deployment whose console signs users in at the issuer. */
function worldAt(
  { issuer: address, trusted }: Pick<OidcProvider, "issuer" | "trusted">,
  db: Db = stores.db,
  log: string[] = [],
) {
  const write = (...said: unknown[]) => void log.push(JSON.stringify(said));
  const askIssuer = createAskIssuer({
    ...{ issuer: address, clientId: CLIENT_ID, trusted: parseIssuers(JSON.stringify([trusted])) },
    ...{ adminScope: "platform:admin", osId: "os", now: Date.now },
  });
  const grantSeconds = 30 * 86_400;
  return oauthWorld(db, {}, { info: write, warn: write, error: write }, { askIssuer, grantSeconds });
}

const asks = ({ asked }: OidcProvider): number => asked.filter((path) => path === "/token").length;

describe("a refresh of an app", () => {
  test("asks the issuer each time, with the token that the issuer gave last", async () => {
    const world = worldAt(issuer);
    const app = await world.connected(["agents:run"], await issuer.refreshTokenOf("maria"));
    expect(asks(issuer)).toBe(0);
    let { refresh } = app;
    for (const times of [1, 2, 3]) {
      const { status, body } = await world.refresh(app.client_id, refresh);
      expect([status, asks(issuer)]).toEqual([200, times]);
      expect((await world.call(body.access_token)).outcome).toBe("allow");
      refresh = body.refresh_token;
      world.clock.advance(86_400_000);
    }
  });

  test("keeps the same token where the issuer does not replace it", async () => {
    const other = await startOidcProvider({ rotates: false });
    const world = worldAt(other);
    const app = await world.connected(["agents:run"], await other.refreshTokenOf("maria"));
    const first = await world.refresh(app.client_id, app.refresh);
    expect((await world.refresh(app.client_id, first.body.refresh_token)).status).toBe(200);
    await other.stop();
  });

  test("of a user who is disabled at the issuer ends the connection", async () => {
    const world = worldAt(issuer);
    const app = await world.connected(["agents:run"], await issuer.refreshTokenOf("maria"));
    issuer.scopesOf.delete("maria");
    expect(await world.refresh(app.client_id, app.refresh)).toMatchObject({
      ...{ status: 400, body: { error: "invalid_grant" } },
    });
    expect((await world.call(app.access)).outcome).toBe("unauthenticated");
    issuer.scopesOf.set("maria", ["agents:run"]);
    expect((await world.refresh(app.client_id, app.refresh)).body.error).toBe("invalid_grant");
  });

  test("gives what the user holds now, of what was granted; an app whose user holds nothing of it ends", async () => {
    const world = worldAt(issuer);
    const granted = ["agents:run", "sessions:read"];
    const app = await world.connected(granted, await issuer.refreshTokenOf("maria"));
    issuer.scopesOf.set("maria", ["sessions:read", "teams:run"]);
    const less = await world.refresh(app.client_id, app.refresh);
    expect(less.body.scope).toBe("sessions:read");
    expect(await world.call(less.body.access_token)).toMatchObject({
      principal: { user_id: "maria", scopes: ["sessions:read"] },
    });
    // Its repetition does not ask again, and gives no more.
    expect((await world.refresh(app.client_id, app.refresh)).body.scope).toBe("sessions:read");
    expect(asks(issuer)).toBe(1);
    issuer.scopesOf.set("maria", granted);
    const all = await world.refresh(app.client_id, less.body.refresh_token);
    expect(all.body.scope).toBe("agents:run sessions:read");
    issuer.scopesOf.set("maria", ["teams:run"]);
    expect((await world.refresh(app.client_id, all.body.refresh_token)).body.error).toBe("invalid_grant");
  });

  test("with the token of another user ends the connection", async () => {
    issuer.scopesOf.set("otto", ["agents:run"]);
    const world = worldAt(issuer);
    const app = await world.connected(["agents:run"], await issuer.refreshTokenOf("otto"));
    expect((await world.refresh(app.client_id, app.refresh)).body.error).toBe("invalid_grant");
    expect((await world.call(app.access)).outcome).toBe("unauthenticated");
  });

  test("while the issuer is down, busy or unreachable is put off: the same refresh token is good afterwards", async () => {
    const world = worldAt(issuer);
    const app = await world.connected(["agents:run"], await issuer.refreshTokenOf("maria"));
    issuer.busy.now = true;
    for (const _ of [1, 2]) {
      const answer = await world.refresh(app.client_id, app.refresh);
      expect(answer).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
      expect(answer.headers["retry-after"]).toBe("30");
    }
    issuer.busy.now = false;
    expect((await world.call(app.access)).outcome).toBe("allow");
    const { body } = await world.refresh(app.client_id, app.refresh);
    const { issuer: address } = issuer;
    await issuer.stop();
    expect((await world.refresh(app.client_id, body.refresh_token)).status).toBe(503);
    issuer = await startOidcProvider();
    // One that has never been reachable.
    const elsewhere = worldAt({ ...issuer, issuer: address });
    const unreached = await elsewhere.connected(["agents:run"], "a token");
    expect((await elsewhere.refresh(unreached.client_id, unreached.refresh)).status).toBe(503);
  });

  test("that comes twice at once asks once, and both get the same successor", async () => {
    const world = worldAt(issuer);
    const app = await world.connected(["agents:run"], await issuer.refreshTokenOf("maria"));
    const answers = await Promise.all([1, 2, 3].map(() => world.refresh(app.client_id, app.refresh)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asks(issuer)).toBe(1);
    const [next, ...others] = new Set(answers.map(({ body }) => body.refresh_token));
    expect(others).toEqual([]);
    expect((await world.refresh(app.client_id, next)).status).toBe(200);
  });

  test("that comes twice at once while the issuer is busy is put off twice", async () => {
    const world = worldAt(issuer);
    const app = await world.connected(["agents:run"], await issuer.refreshTokenOf("maria"));
    issuer.busy.now = true;
    const answers = await Promise.all([1, 2, 3].map(() => world.refresh(app.client_id, app.refresh)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    issuer.busy.now = false;
    expect((await world.refresh(app.client_id, app.refresh)).status).toBe(200);
  });

  test.each([
    { rotates: false, answers: 200 },
    // It takes the second use of its token for a theft.
    { rotates: true, answers: 400 },
  ])("that dies after the issuer's answer is repeated: $answers where it rotates: $rotates", async (at) => {
    const other = await startOidcProvider({ rotates: at.rotates });
    const app = await worldAt(other).connected(["agents:run"], await other.refreshTokenOf("maria"));
    // The first write lets it ask, and the second one has what came of it.
    const dying = worldAt(other, breakingDb(stores.db, 2).db);
    await expect(dying.refresh(app.client_id, app.refresh)).rejects.toThrow("dead");
    const world = worldAt(other);
    expect((await world.refresh(app.client_id, app.refresh)).status).toBe(503);
    expect(asks(other)).toBe(1);
    world.clock.advance(21_000);
    expect((await world.refresh(app.client_id, app.refresh)).status).toBe(at.answers);
    expect((await world.call(app.access)).outcome).toBe(at.answers === 200 ? "allow" : "unauthenticated");
    await other.stop();
  });

  test("ends an app when no issuer is configured any more", async () => {
    const app = await worldAt(issuer).connected(["agents:run"], await issuer.refreshTokenOf("maria"));
    const world = oauthWorld(stores.db);
    expect((await world.refresh(app.client_id, app.refresh)).body.error).toBe("invalid_grant");
  });
});

describe("an app that a user lets in without a token of the issuer", () => {
  test("stays for a day, which the page says; with one, or where there is no issuer, for as long as is set", async () => {
    const day = 86_400_000;
    const world = worldAt(issuer);
    const asked = world.asked(await world.register());
    expect(await describeConsent({ query: asked, principal: maria } as never, world.deps)).toMatchObject({
      ...{ lasts_seconds: 30 * 86_400, lasts_unasked_seconds: 86_400 },
    });
    const app = await world.connected();
    world.clock.advance(day - 1_000);
    const { body } = await world.refresh(app.client_id, app.refresh);
    expect([body.expires_in, asks(issuer)]).toEqual([1, 0]);
    world.clock.advance(1_000);
    expect((await world.refresh(app.client_id, body.refresh_token)).body.error).toBe("invalid_grant");

    const alone = oauthWorld(stores.db, {}, undefined, { grantSeconds: 30 * 86_400 });
    const kept = await alone.connected(["agents:run"], "of an issuer that is not asked");
    alone.clock.advance(29 * day);
    expect((await alone.refresh(kept.client_id, kept.refresh)).status).toBe(200);
  });
});

test("a token of the issuer is in no table and no log, before and after each use", async () => {
  const log: string[] = [];
  const world = worldAt(issuer, stores.db, log);
  const token = await issuer.refreshTokenOf("maria");
  const app = await world.connected(["agents:run"], token);
  const kept = async () => {
    const TableName = stores.db.tables.service_accounts;
    const { Items = [] } = await stores.db.client.send(new ScanCommand({ TableName }));
    return Items.filter(({ pk }) => String(pk).startsWith("grant#")).map((item) => JSON.stringify(item));
  };
  const everything = async () => [...(await kept()), ...log].join("\n");
  expect(await everything()).toContain('"issuer_token":"');
  expect(await everything()).not.toContain(token);
  const { body } = await world.refresh(app.client_id, app.refresh);
  issuer.busy.now = true;
  await world.refresh(app.client_id, body.refresh_token);
  expect(await everything()).not.toContain(token);
  issuer.busy.now = false;
  issuer.scopesOf.delete("maria");
  await world.refresh(app.client_id, body.refresh_token);
  const ended = (await kept()).filter((item) => item.includes(app.refresh.slice(4, 42)));
  expect(ended).toHaveLength(1);
  expect(ended[0]).not.toContain("issuer_token");
});
