import fc from "fast-check";
import { createAuthorizer } from "../../shared/auth/authorize.ts";
import { parseIssuers } from "../../shared/auth/identify/issuers.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handlers } from "../../shared/http/handlers.ts";
import { type BufferedHandler, serve } from "../../shared/http/serve.ts";
import { families } from "../../shared/routes/index.ts";
import { createMatcher } from "../../shared/routes/matching/matcher.ts";
import type { Route, RouteTable } from "../../shared/routes/route.ts";
import { anIssuer } from "../auth/an-issuer.ts";
import { oracle } from "../auth/scope-oracle.ts";
import { ordinaryScopes } from "../flows/credential-matrix.ts";
import { aContext, anEvent, testHttpOptions } from "../http/an-event.ts";
import { emptyStore } from "./access-fuzz.ts";
import { credentials } from "./forged-credentials.ts";
import { type AskedRequest, requestsTo } from "./openapi/asked-request.ts";
import { operations } from "./openapi/document.ts";
import { type Random, seededRandom } from "./simulated/random.ts";

export type RouteCampaign = {
  /** Requests by operation. */
  readonly asked: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<number, number>>;
  /** How many a right was missing for, or a valid credential. */
  readonly refused: number;
};

type Credential = {
  readonly authorization: string | undefined;
  /** What its bearer may do at most. Undefined where it is no credential. */
  readonly scopes: readonly string[] | undefined;
  /** Whether it is sent as a credential has to be sent. */
  readonly isValid: boolean;
};
type Asked = AskedRequest & { readonly operation: string };

/** Requests that are made of the schemas of one operation; more of them come by mixing them with credentials. */
const MADE_FOR_EACH = 24;
const CREDENTIALS = 3_000;

const rows: Readonly<Record<string, Route>> = Object.assign({}, ...Object.values<RouteTable>(families));

/**
 * Requests to every operation of the whole route table, through the authorizer and the pipeline of its family. Malformed
 * ones have damaged bodies, queries, paths and methods, and forged credentials; well-formed ones are what the schemas allow,
 * by tokens of a trusted issuer with scopes at random, often with all but those that the route asks for. No handler is
 * reached without the right to it, by the reading of an oracle, and nothing is answered with a fault of ours.
 *
 * @param count  requests in all
 * @param seed   repeats an earlier campaign
 * @throws when one gets through, or one that may pass is refused, with the request
 */
export async function fuzzRoutes(
  manner: "malformed" | "well-formed",
  count: number,
  seed: number,
): Promise<RouteCampaign> {
  const random = seededRandom(seed);
  const platform = await servedFamilies();
  const given = await (manner === "malformed" ? forged(platform, seed) : scoped(platform, random));
  const pools = operations.map((operation) => {
    const made = requestsTo(operation, manner === "malformed" ? "invalid" : "valid", { about: {} });
    const requests = fc.sample(made, { seed, numRuns: MADE_FOR_EACH });
    return requests.map((request): Asked => ({ ...request, operation: operation.operationId }));
  });
  const asked: Record<string, number> = {};
  const answers: Record<number, number> = {};
  let refused = 0;
  for (let done = 0; done < count; done += 1) {
    const made = random.pick(pools[done % pools.length] as [Asked, ...Asked[]]);
    const request = manner === "malformed" ? misdirected(made, random) : made;
    const credential = given(made.operation);
    const { status, mayPass } = await platform.ask(request, credential);
    asked[made.operation] = (asked[made.operation] ?? 0) + 1;
    answers[status] = (answers[status] ?? 0) + 1;
    if (!mayPass) refused += 1;
  }
  return { asked, answers, refused };
}

/** All families behind the authorizer, with handlers that only notice that they were reached. */
async function servedFamilies() {
  const issuer = await anIssuer("EdDSA");
  const match = createMatcher<string, Route>(families);
  const authorize = createAuthorizer({
    issuers: parseIssuers(JSON.stringify([{ jwks: { keys: [issuer.jwk] }, algorithms: ["EdDSA"] }])),
    adminScope: "platform:admin",
    now: Date.now,
    match,
    store: async () => emptyStore,
  });
  let reached: string | undefined;
  const options = testHttpOptions().httpOptions;
  const served = new Map<string, BufferedHandler>();
  for (const table of Object.values<RouteTable>(families)) {
    const handlers = Object.fromEntries(
      Object.keys(table).map((operation) => [
        operation,
        async () => {
          reached = operation;
          throw new ServiceError("NOT_FOUND", "reached");
        },
      ]),
    ) as Handlers<RouteTable, object>;
    const family = serve(table, handlers, {}, options, { checkSignature: refuseSignature });
    for (const operation of Object.keys(table)) served.set(operation, family);
  }
  const anyFamily = served.get("getConfig") ?? served.values().next().value;

  async function ask(
    { method, path, headers, body }: AskedRequest,
    { authorization, scopes, isValid }: Credential,
  ) {
    reached = undefined;
    const [rawPath = "", query = ""] = path.split("?");
    const sent = { ...headers, ...(authorization !== undefined && { authorization }) };
    const decision = await authorize({ method, rawPath, headers: sent });
    const found = match(method, rawPath);
    const operation = found && "operation" in found ? found.operation : undefined;
    const route = operation === undefined ? undefined : rows[operation];
    const mayPass =
      route !== undefined &&
      (route.scopes === "public" || (scopes !== undefined && oracle(scopes, route, rawPath) === "allow"));
    const family = (operation !== undefined && served.get(operation)) || anyFamily;
    if (!family) throw new Error("there is no family");
    const event = anEvent(`${method} ${rawPath}`, {
      query,
      headers: sent,
      decision,
      ...(body !== undefined && { body }),
    });
    const { statusCode: status = 0, body: answer } = await family(event, aContext());
    const report = () => `${method} ${path} ${JSON.stringify(sent)} ${body} was answered ${status} ${answer}`;
    if (status >= 500) throw new Error(report());
    if (!mayPass && reached !== undefined) throw new Error(`reached ${reached}: ${report()}`);
    if (!mayPass && route && status < 400 && method !== "OPTIONS") throw new Error(report());
    if (mayPass && isValid && route.scopes !== "public" && (status === 401 || status === 403))
      throw new Error(`has the right: ${report()}`);
    return { status, mayPass };
  }
  return { issuer, ask };
}

type Served = Awaited<ReturnType<typeof servedFamilies>>;

async function refuseSignature(): Promise<void> {
  throw new ServiceError("UNAUTHORIZED", "the signature is wrong");
}

const POWERLESS = ["books:x:read"];

async function forged({ issuer }: Served, seed: number): Promise<(operation: string) => Credential> {
  const good = await issuer.sign({ sub: "maria", scopes: ["platform:admin"] });
  const powerless = await issuer.sign({ sub: "otto", scopes: POWERLESS });
  const made = fc.sample(fc.option(credentials(good, powerless), { nil: undefined }), {
    seed,
    numRuns: CREDENTIALS,
  });
  let at = 0;
  return () => {
    const authorization = made[at++ % made.length];
    const scopes = authorization?.includes(powerless) ? POWERLESS : undefined;
    return { authorization, scopes, isValid: false };
  };
}

/** Tokens of a trusted issuer: for each set of scopes one, signed when it is first used. */
async function scoped({ issuer }: Served, random: Random): Promise<(operation: string) => Credential> {
  const sign = async (scopes: readonly string[]): Promise<Credential> => ({
    authorization: `Bearer ${await issuer.sign({ sub: "maria", scopes: [...scopes] })}`,
    scopes,
    isValid: true,
  });
  const some = () => ordinaryScopes.filter(() => random.chance(0.1));
  const mixed = await Promise.all(Array.from({ length: CREDENTIALS }, () => sign(some())));
  const nearly = new Map<string, Credential>();
  for (const [operation, { scopes }] of Object.entries(rows)) {
    // All that there is but the route's own: where that is several, but one of them.
    const missing = scopes === "public" ? [] : scopes.slice(-1);
    nearly.set(operation, await sign(ordinaryScopes.filter((scope) => !missing.includes(scope))));
  }
  return (operation) =>
    (random.chance(0.5) && nearly.get(operation)) || random.pick(mixed as [Credential, ...Credential[]]);
}

/** Another method, or a path that a careless matcher takes for the same or for another one. */
function misdirected(asked: Asked, random: Random): Asked {
  if (random.chance(0.5)) return asked;
  const path = random.pick([
    `/${asked.path}`,
    `${asked.path}/`,
    asked.path.toUpperCase(),
    asked.path.replace("/", "/./"),
    asked.path.replace("/", "/x/../"),
    asked.path.replace("/", "/%2e%2e/"),
    asked.path.replaceAll("/", "%2F"),
    `/health/..${asked.path}`,
    `${asked.path};x=1`,
    asked.path,
  ]);
  const method = random.pick([
    asked.method,
    asked.method,
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "get",
    "TRACE",
    "OPTIONS",
  ]);
  return { ...asked, path, method };
}
