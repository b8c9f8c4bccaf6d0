import fc from "fast-check";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { serve } from "../../shared/http/serve.ts";
import { createMatcher } from "../../shared/routes/matching/matcher.ts";
import { anIssuer } from "../auth/an-issuer.ts";
import { type ShelfDeps, shelfHandlers, shelfRoutes } from "../http/a-family.ts";
import { aContext, anEvent, testHttpOptions } from "../http/an-event.ts";
import { credentials } from "./forged-credentials.ts";

/**
 * Malformed requests, thrown at the authorizer and the pipeline as they stand behind each other in the cloud. None may
 * reach a guarded handler, none may be answered with a fault of ours.
 *
 * @param numRuns  requests to make up
 * @param seed     repeats an earlier campaign
 * @throws when a request got through or broke something, with the request
 */
export async function fuzzAccess(numRuns: number, seed?: number): Promise<Readonly<Record<number, number>>> {
  const issuer = await anIssuer("ES256");
  const match = createMatcher({ shelf: shelfRoutes });
  const authorize = createAuthorizer({
    issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] }, algorithms: ["ES256"] }])),
    adminScope: "platform:admin",
    now: Date.now,
    match,
    store: async () => emptyStore,
  });
  const good = await issuer.sign({ sub: "maria", scopes: ["platform:admin"] });
  const powerless = await issuer.sign({ sub: "otto", scopes: ["books:x:read"] });
  const answers: Record<number, number> = {};
  const family = serve(shelfRoutes, shelfHandlers, {} satisfies ShelfDeps, testHttpOptions().httpOptions);

  const property = fc.asyncProperty(
    requests(good, powerless),
    async ({ method, path, headers, body, query }) => {
      const decision = await authorize({ method, rawPath: path, headers });
      const found = match(method, path);
      const isPublic =
        found !== undefined && ("operation" in found ? found.route.scopes === "public" : found.public);
      if (decision.outcome === "allow" && decision.operation !== null && !isPublic)
        throw new Error("let through");
      const event = anEvent(`${method} ${path}`, { headers, body, query, decision });
      const { statusCode = 0 } = await family(event, aContext());
      if (statusCode >= 500) throw new Error(`answered ${statusCode}`);
      if (statusCode < 300 && !isPublic && method !== "OPTIONS") throw new Error(`answered ${statusCode}`);
      answers[statusCode] = (answers[statusCode] ?? 0) + 1;
    },
  );
  await fc.assert(property, { numRuns, ...(seed !== undefined && { seed }) });
  return answers;
}

export const emptyStore = {
  findToken: async () => undefined,
  findAppToken: async () => undefined,
  listTokens: async () => new Set<string>(),
  recordUse: async () => {},
  countFailure: async (_address: string, now: number) => ({ count: 1, ends_at: now + 60 }),
  countRequests: async (_who: string, count: number, now: number) => ({ count, ends_at: now + 60 }),
};

function requests(good: string, powerless: string) {
  const authorization = credentials(good, powerless);
  const name = fc.constantFrom(
    "content-type",
    "origin",
    "x-schedule-owner",
    "x-forwarded-for",
    "x-http-method-override",
    "x-original-url",
    "access-control-request-method",
    "idempotency-key",
    "cookie",
  );
  const type = fc.constantFrom(
    "application/json",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "text/x",
  );
  const others = fc.dictionary(name, fc.oneof(fc.string(), type), { noNullPrototype: true });
  const segment = fc.oneof(
    fc.constantFrom("books", "cover", "text", "1", "..", "%2e%2e", "%", "%2F", "", "lend"),
    // No request line carries a blank: it would end the path.
    fc.string().map((text) => text.replaceAll(/\s/g, "%20")),
  );
  return fc.record({
    method: fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "get", "", "TRACE"),
    path: fc.oneof(
      fc.constantFrom("/books", "/books/1", "/books/1/text", "/cover", "/books/", "//books"),
      fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`),
    ),
    headers: fc
      .tuple(others, fc.option(authorization, { nil: undefined }))
      .map(([rest, given]) => (given === undefined ? rest : { ...rest, authorization: given })),
    body: fc.oneof(
      fc.string(),
      fc.json(),
      fc.constant(""),
      fc.uint8Array({ maxLength: 60 }).map(Buffer.from),
    ),
    query: fc.oneof(fc.string(), fc.constantFrom("limit=x", "a=1&a=2", "%", "user_id=otto&__proto__=1")),
  });
}
