/**
 * Measures a decision on access once keys and accounts are cached, and that on the token of a connected app also while it is not:
 * `npm run bench:access`. `npm run bench:bundles` measures the code that the authorizer loads before its first decision.
 */

import { table } from "../../build/table.ts";
import { type AccessRequest, type Authorize, createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { newServiceAccountToken } from "../../shared/auth/identify/service-account-token.ts";
import { accessStoreOver } from "../../shared/stores/service-accounts/access-store.ts";
import { anIssuer } from "../../test/auth/an-issuer.ts";
import { oauthWorld } from "../../test/auth/oauth-world.ts";
import { startStores } from "../../test/support/stores.ts";
import { figuresOf } from "../figures.ts";

const WARM_UP = 500;
const DECISIONS = 5000;
const GOAL_MS = 1;
/** Of the token of a connected app. */
const APP_GOAL_MS = 5;

const algorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;
const scopes = ["agents:read", "agents:assistant:run", "sessions:read", "config:read"];
const account = { account_id: "1", name: "bench", scopes };
const store = {
  findToken: async () => account,
  recordUse: async () => {},
  findAppToken: async () => undefined,
  listTokens: async () => new Set<string>(),
  countFailure: async (_address: string, now: number) => ({ count: 1, ends_at: now + 60 }),
  countRequests: async (_who: string, count: number, now: number) => ({ count, ends_at: now + 60 }),
};

async function decisionsMs(token: string, issuers: object[]) {
  const authorize = createAuthorizer({
    issuers: parseIssuers(JSON.stringify(issuers)),
    adminScope: "platform:admin",
    now: Date.now,
    store: async () => store,
    cacheSeconds: 30,
  });
  const request = {
    method: "POST",
    rawPath: "/agents/assistant/runs",
    headers: { authorization: `Bearer ${token}` },
  };
  return timesOf(authorize, request);
}

async function timesOf(authorize: Authorize, request: AccessRequest) {
  const timesMs: number[] = [];
  for (let i = 0; i < WARM_UP + DECISIONS; i += 1) {
    const from = performance.now();
    const { outcome } = await authorize(request);
    if (outcome !== "allow") throw new Error(`the bench's own token is ${outcome}`);
    if (i >= WARM_UP) timesMs.push(performance.now() - from);
  }
  return figuresOf(timesMs);
}

const rows: string[][] = [];
const row = (name: string, { p50, p95 }: { p50: number; p95: number }, goal = GOAL_MS) =>
  rows.push([name, p50.toFixed(3), p95.toFixed(3), `≤ ${goal}`]);
for (const algorithm of algorithms) {
  const issuer = await anIssuer(algorithm);
  const token = await issuer.sign({ sub: "maria", scopes });
  row(
    `JWT, ${algorithm}`,
    await decisionsMs(token, [{ jwks: { keys: [issuer.jwk] }, algorithms: [algorithm] }]),
  );
}
row("service account", await decisionsMs(newServiceAccountToken(), []));
const stores = await startStores();
const world = oauthWorld(stores.db);
const { access } = await world.connected();
let reads = 0;
const counted = {
  ...accessStoreOver(stores.db),
  findAppToken: async (hash: string) => {
    reads += 1;
    return accessStoreOver(stores.db).findAppToken(hash);
  },
};
for (const cacheSeconds of [30, 0]) {
  reads = 0;
  const authorize = createAuthorizer({
    ...{ issuers: [], adminScope: "platform:admin", now: world.clock.now, appTokens: true },
    ...{ store: async () => counted, cacheSeconds },
  });
  const headers = { authorization: `Bearer ${access}` };
  const times = await timesOf(authorize, { method: "POST", rawPath: "/mcp", headers });
  const read = cacheSeconds === 0 ? "read each time" : `cached, read ${reads} times in all`;
  row(`app token, ${read}`, times, APP_GOAL_MS);
}
await stores.stop();
console.log(table(["credential", "p50, ms", "p95, ms", "goal"], rows));
console.log(`${DECISIONS} decisions each, Node ${process.version}`);
