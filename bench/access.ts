/**
 * Measures a decision on access once keys and accounts are cached: `npm run bench:access`. `npm run bench:bundles`
 * measures the code that the authorizer loads before its first decision.
 */

import { table } from "../build/table.ts";
import { createAuthorizer } from "../shared/auth/authorize.ts";
import { parseIssuers } from "../shared/auth/identify/issuers.ts";
import { newServiceAccountToken } from "../shared/auth/identify/service-account-token.ts";
import { anIssuer } from "../test/auth/an-issuer.ts";
import { figuresOf } from "./figures.ts";

const WARM_UP = 500;
const DECISIONS = 5000;
const GOAL_MS = 1;

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
const row = (name: string, { p50, p95 }: { p50: number; p95: number }) =>
  rows.push([name, p50.toFixed(3), p95.toFixed(3), `≤ ${GOAL_MS}`]);
for (const algorithm of algorithms) {
  const issuer = await anIssuer(algorithm);
  const token = await issuer.sign({ sub: "maria", scopes });
  row(
    `JWT, ${algorithm}`,
    await decisionsMs(token, [{ jwks: { keys: [issuer.jwk] }, algorithms: [algorithm] }]),
  );
}
row("service account", await decisionsMs(newServiceAccountToken(), []));
console.log(table(["credential", "p50, ms", "p95, ms", "goal"], rows));
console.log(`${DECISIONS} decisions each, Node ${process.version}`);
