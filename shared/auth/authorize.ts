import { matchRoute } from "../routes/matching/match.ts";
import { createMatcher, type Match, type Matcher } from "../routes/matching/matcher.ts";
import { MCP_PATH } from "../routes/protocols/mcp-path.ts";
import type { AccessRow } from "../routes/route.ts";
import type { Interfaces } from "../routes/served.ts";
import { mappableAccess, servedAccess } from "../routes/served-access.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Issuer } from "../settings/values/issuers.ts";
import type { AccessStore } from "./access-store.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import type { Identified } from "./identify/identified.ts";
import { createIdentifyServiceAccount } from "./identify/identify-service-account.ts";
import { issuersIn } from "./identify/issuers.ts";
import { principalOfToken } from "./identify/principal-of-token.ts";
import { isAppToken, isServiceAccountToken } from "./identify/service-account-token.ts";
import { createVerifyToken, type Verified } from "./identify/verify-token.ts";
import { anonymous, type Principal } from "./principal.ts";
import { createLimit } from "./request-limit.ts";
import { createMappedScopes, parseScopeMappings, type ScopeMappings } from "./scopes/scope-mappings.ts";

/** The parts of a request that access depends on. Header names in lower case. */
export type AccessRequest = {
  readonly method: string;
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Address of the connection; never from a header, which any client can write. */
  readonly sourceIp?: string;
};

export type Authorize = (request: AccessRequest) => Promise<Decision>;

type AuthorizerOptions = {
  readonly issuers: readonly Issuer[];
  /** Scope that satisfies every other. */
  readonly adminScope: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Audience of issuers that check it without naming one. */
  readonly osId?: string;
  readonly match?: Matcher<string, AccessRow>;
  readonly scopeMappings?: ScopeMappings;
  /** Service accounts and counters; connected to when the first request needs them. */
  readonly store?: () => Promise<AccessStore>;
  readonly cacheSeconds?: number;
  /** Requests a minute that one principal may make; 0 sets no limit. */
  readonly requestsPerMinute?: number;
  /** Unknown tokens that are looked up for one address; 0 sets no limit. */
  readonly unauthenticatedPerMinute?: number;
  /** Whether tokens of connected apps are accepted, which is at the MCP server alone. */
  readonly appTokens?: boolean;
  /** Called with the reason why keys or accounts could not be read; the caller only learns that they could not. */
  readonly onFault?: (cause: unknown) => void;
};

const withoutStore = (): Promise<AccessStore> => Promise.reject(new Error("no store of service accounts"));

/**
 * Makes the one function that decides on access. It is called by the authorizer and by streaming functions, and it
 * denies by default: a request that is neither public nor allowed by a valid credential is refused.
 *
 * An unknown path or method is refused without a credential, and allowed with `operation: null` with one, so that
 * only authenticated callers learn which paths exist.
 */
export function createAuthorizer(options: AuthorizerOptions): Authorize {
  const { adminScope, match = matchRoute } = options;
  const identify = createIdentify(options);
  const limit = createLimit({ store: withoutStore, requestsPerMinute: 0, onFault: () => {}, ...options });
  const rules = {
    adminScope,
    mappedScopes: createMappedScopes(options.scopeMappings ?? new Map(), adminScope),
  };
  return async ({ method, rawPath, headers, sourceIp = "unknown" }) => {
    const found = match(method, rawPath);
    const operation = found && "operation" in found ? found.operation : null;
    if (isPublic(found)) return { outcome: "allow", operation, principal: anonymous };
    const token = tokenOf(headers.authorization);
    if (token === undefined) {
      return { outcome: "unauthenticated", operation, detail: "Authorization header is missing" };
    }
    const isForMcp =
      options.appTokens === true && found && "operation" in found && found.route.path === MCP_PATH;
    if (isAppToken(token) && !isForMcp)
      return { outcome: "unauthenticated", operation, detail: "This token is for the MCP server alone" };
    const identified = await identify(token, sourceIp);
    if (identified.outcome !== "identified") return { ...identified, operation };
    const { principal } = identified;
    const over = await limit(principal);
    return over ? { ...over, operation } : decide(principal, { method, rawPath, found }, rules);
  };
}

type AccessEnv = {
  readonly OS_ID: string;
  readonly JWT_ISSUERS: readonly Issuer[];
  readonly USER_POOL_ISSUER?: string | undefined;
  readonly ADMIN_SCOPE: string;
  readonly SCOPE_MAPPINGS: string;
  readonly SERVICE_ACCOUNT_CACHE_SECONDS: number;
  readonly REQUESTS_PER_MINUTE: number;
  readonly UNAUTHENTICATED_PER_MINUTE: number;
} & Interfaces;

/**
 * Makes the same function from a Lambda function's environment.
 *
 * @throws Error when the issuers or the mappings cannot be used, before the first request
 */
export function authorizerFrom(
  env: AccessEnv,
  store: () => Promise<AccessStore>,
  log: Pick<Log, "error">,
): Authorize {
  return createAuthorizer({
    issuers: issuersIn(env),
    adminScope: env.ADMIN_SCOPE,
    osId: env.OS_ID,
    appTokens: env.MCP_AUTH === "builtin",
    match: createMatcher<string, AccessRow>(servedAccess(env)),
    scopeMappings: parseScopeMappings(env.SCOPE_MAPPINGS, mappableAccess(env)),
    cacheSeconds: env.SERVICE_ACCOUNT_CACHE_SECONDS,
    requestsPerMinute: env.REQUESTS_PER_MINUTE,
    unauthenticatedPerMinute: env.UNAUTHENTICATED_PER_MINUTE,
    store,
    now: systemClock.now,
    onFault: (cause) =>
      log.error("keys or accounts needed for authorization cannot be read", { error: cause }),
  });
}

const isPublic = (found: Match<string, AccessRow>): boolean => {
  if (!found) return false;
  return "operation" in found ? found.route.scopes === "public" : found.public;
};

/** A service account's token is recognized by its prefix, before anything is parsed as a JWT. */
function createIdentify(options: AuthorizerOptions) {
  const {
    issuers,
    adminScope,
    now,
    osId,
    store = withoutStore,
    cacheSeconds = 0,
    unauthenticatedPerMinute = 0,
  } = options;
  const onFault = options.onFault ?? (() => {});
  const verify = createVerifyToken(issuers, now, { ...(osId !== undefined && { osId }) });
  const identifyServiceAccount = createIdentifyServiceAccount({
    store,
    cacheSeconds,
    unauthenticatedPerMinute,
    adminScope,
    now,
    onFault,
  });
  return async (token: string, sourceIp: string): Promise<Identified> => {
    if (isServiceAccountToken(token) || isAppToken(token)) return identifyServiceAccount(token, sourceIp);
    const verified = await verify(token);
    if (verified.outcome === "unknown") onFault(verified.cause);
    return identifiedBy(verified, adminScope);
  };
}

function identifiedBy(verified: Verified, adminScope: string): Identified {
  if (verified.outcome === "unknown") {
    const detail = "The keys of the token's issuer are not reachable; try again later";
    return { outcome: "unavailable", detail };
  }
  if (verified.outcome === "invalid") return { outcome: "unauthenticated", detail: verified.detail };
  const principal: Principal | undefined = principalOfToken(verified, adminScope);
  return principal
    ? { outcome: "identified", principal }
    : { outcome: "unauthenticated", detail: "Invalid token subject" };
}

/** The prefix may be left out and its case does not matter. */
function tokenOf(header: string | undefined): string | undefined {
  const token = header?.trim().replace(/^bearer\s+/i, "");
  return token || undefined;
}
