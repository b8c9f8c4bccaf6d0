import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signedCardChecks } from "../../a2a/over-http/signed-cards.ts";
import { anIssuer } from "../../auth/an-issuer.ts";
import { guardedRows, type Row } from "../../flows/credential-matrix.ts";
import { clientOf } from "../../support/client.ts";
import { fuzzOpenApi } from "../../support/openapi/fuzz-open-api.ts";
import { startReachablePlatform } from "../../support/openapi/reachable-platform.ts";
import { expiredToken, type TestPlatform } from "../../support/platform.ts";

/**
 * Every guarded route at every entrance, with every credential that must not pass. The routes come from the route
 * table, so one that is added is tried without anybody thinking of it.
 */
let platform: TestPlatform;
let revokedToken: string;
let strangersToken: string;

beforeAll(async () => {
  platform = await startReachablePlatform({ serviceAccountCacheSeconds: "0" });
  const admin = clientOf(platform.url, platform.adminToken);
  const asked = { name: "revoked", scopes: [{ scope: "platform:admin" }], allow_privileged_scopes: true };
  const { json } = await admin.post("/service-accounts", { json: asked });
  revokedToken = json.token;
  await admin.call("DELETE", `/service-accounts/${json.id}`);
  strangersToken = await (await anIssuer()).sign({ sub: "stranger", scopes: ["platform:admin"] });
});
afterAll(() => platform.stop());

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const admin = { sub: "admin", scopes: ["platform:admin"] };
const unsigned = `${base64({ alg: "none", typ: "JWT" })}.${base64(admin)}.`;

/** The ways in. The edge leads streaming routes to their own function, everything else to the HTTP API. */
const entrances: Readonly<Record<string, (path: string) => string>> = {
  "the edge": (path) => platform.url + path,
  "the HTTP API itself": (path) => platform.apiUrl + path,
  "the catch-all, by a trailing slash": (path) => `${platform.apiUrl}${path}/`,
  "the edge, with an encoded letter": (path) =>
    platform.url + path.replace(/[a-z](?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
};

/** Signing takes longer than refusing: each token is made once. */
const tokens = new Map<string, string>();
const tokenWith = (scopes: readonly string[]): string => {
  const token = tokens.get(scopes.join(" ")) ?? platform.token("maria", scopes);
  tokens.set(scopes.join(" "), token);
  return token;
};
const expired = expiredToken("admin", admin.scopes);

const perId = (scope: string, id: string): string => scope.replace(":", `:${id}:`);

/** They show every valid credential who it is, or that an interface is there, and nothing else. */
const needsNoScope = ({ operation }: Pick<Row, "operation">): boolean =>
  ["getMe", "getAguiStatus", "listCards"].includes(operation);

/**
 * OpenAI's routes ask for the scope of the component that a request names, or whose run a response is. These requests name none: a list is
 * empty, what is not there is unknown, and a body is missing.
 */
const namesNone: Readonly<Record<string, number>> = {
  // These ask for the scope of the run that a request names, or of the kinds that it does.
  createFeedbackLinks: 422,
  giveFeedback: 422,
  listRunFeedback: 422,
  removeFeedback: 422,
  cancelRuns: 422,
  // These are about views of the caller's own.
  listViews: 200,
  saveView: 422,
  removeView: 204,
  // These are about what the caller lets apps do, and give no more than the caller holds.
  describeConsent: 400,
  decideConsent: 422,
  listConnectedApps: 200,
  removeConnectedApp: 404,
  listOpenaiModels: 200,
  getOpenaiModel: 404,
  getOpenaiResponse: 404,
  cancelOpenaiResponse: 404,
  listOpenaiInputItems: 404,
  createChatCompletion: 400,
  createOpenaiResponse: 400,
};

/** Credentials, and what each is answered. */
const credentials: Readonly<Record<string, (row: Row) => { token: string | undefined; status: number }>> = {
  "no credential": () => ({ token: undefined, status: 401 }),
  "an expired token": () => ({ token: expired, status: 401 }),
  "a token of a stranger's key": () => ({ token: strangersToken, status: 401 }),
  "an unsigned token": () => ({ token: unsigned, status: 401 }),
  "a revoked account": () => ({ token: revokedToken, status: 401 }),
  "a foreign scope": (row) => ({
    token: tokenWith(["zebra:read"]),
    status: needsNoScope(row) ? 200 : (namesNone[row.operation] ?? 403),
  }),
  "the right scope on another id": ({ route, operation }) => ({
    token: tokenWith([...route.scopes].map((scope) => perId(scope, "another"))),
    // A list is answered, with nothing in it.
    status:
      needsNoScope({ operation }) ||
      (/^\/(agents|teams|workflows|skills)$/.test(route.path) && route.method === "GET")
        ? 200
        : (namesNone[operation] ?? 403),
  }),
};

const pathOf = ({ route }: Row): string => route.path.replace(/\{[^}]*\}/g, "assistant");
const statusOf = async (url: string, method: string, token: string | undefined): Promise<number> => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (await fetch(url, { method, headers })).status;
};

const tried = Object.entries(credentials);
const sideEntryPoints = ["the catch-all, by a trailing slash", "the edge, with an encoded letter"];

/** All credentials where requests come in every day; at a side entry point none, and the others in turn, one per route. */
const triedAt = (entrance: string, nth: number): typeof tried =>
  sideEntryPoints.includes(entrance) ? tried.filter((_, i) => i === 0 || i === nth % tried.length) : tried;

describe.each(Object.keys(entrances))("through %s", (entrance) => {
  test.each(guardedRows.map((row, nth) => [`${row.route.method} ${row.route.path}`, row, nth] as const))(
    "%s is opened by no wrong credential, and by an admin's",
    async (_name, row, nth) => {
      const url = entrances[entrance]?.(pathOf(row)) ?? "";
      const seen: Record<string, number> = {};
      const expected: Record<string, number> = {};
      for (const [name, make] of triedAt(entrance, nth)) {
        const { token, status } = make(row);
        const answered = await statusOf(url, row.route.method, token);
        // An account's bad token is refused in other words when many came before it.
        seen[name] = name === "a revoked account" && answered === 429 ? 401 : answered;
        expected[name] = status;
      }
      expect(seen).toEqual(expected);
      expect([401, 403]).not.toContain(await statusOf(url, row.route.method, platform.adminToken));
    },
  );
});

// It is here because this platform has a key for cards.
signedCardChecks(() => platform);

// It is here because this platform has every function started. `npm run fuzz:openapi` is the long campaign; what is asked as the
// examples say is in `test/flows/every-route.test.ts`.
test("what the interface description allows, or nearly, is answered as it says", {
  timeout: 180_000,
}, async () => {
  const { findings } = await fuzzOpenApi({
    ...{ url: platform.url, token: platform.adminToken, seed: 2026, rounds: 1 },
  });
  expect(findings).toEqual([]);
});
