import { matchRoute } from "../routes/match.ts";
import type { Match, Matcher } from "../routes/matcher.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Decision } from "./decision.ts";
import { type Issuer, parseIssuers } from "./issuers.ts";
import { anonymous, type Principal } from "./principal.ts";
import { principalOfToken } from "./principal-of-token.ts";
import { mayCall, scopeNames } from "./scopes.ts";
import { createVerifyToken, type Verified } from "./verify-token.ts";

/** The parts of a request that access depends on. Header names in lower case. */
export type AccessRequest = {
  readonly method: string;
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

export type Authorize = (request: AccessRequest) => Promise<Decision>;

type AuthorizerOptions = {
  readonly issuers: readonly Issuer[];
  /** Scope that satisfies every other. */
  readonly adminScope: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly match?: Matcher;
  /** Told why an issuer's keys could not be had; the caller only learns that they could not. */
  readonly onKeysUnreachable?: (cause: unknown) => void;
};

type Identified =
  | { outcome: "identified"; principal: Principal }
  | { outcome: "unauthenticated" | "unavailable"; detail: string };

/**
 * Makes the one function that decides on access. It is called by the authorizer and by the streaming door, and it
 * denies by default: whatever is neither public nor opened by a valid credential is refused.
 *
 * A path or method that leads nowhere is refused too without a credential, and allowed with `operation: null`
 * with one, so that whoever asks first must say who they are before learning which paths exist.
 *
 * @source contract, auth sections 2, 3, 7 and 9
 */
export function createAuthorizer(options: AuthorizerOptions): Authorize {
  const { issuers, adminScope, now, match = matchRoute, onKeysUnreachable = () => {} } = options;
  const verify = createVerifyToken(issuers, now);
  return async ({ method, rawPath, headers }) => {
    const found = match(method, rawPath);
    const operation = found && "operation" in found ? found.operation : null;
    if (isPublic(found)) return { outcome: "allow", operation, principal: anonymous };
    const token = tokenOf(headers.authorization);
    if (token === undefined) {
      return { outcome: "unauthenticated", operation, detail: "Authorization header is missing" };
    }
    const verified = await verify(token);
    if (verified.outcome === "unknown") onKeysUnreachable(verified.cause);
    const identified = identify(verified, adminScope);
    if (identified.outcome !== "identified") return { ...identified, operation };
    return decide(identified.principal, method, found, adminScope);
  };
}

/**
 * Makes the same function of a function's environment.
 *
 * @throws Error when the issuers cannot be used, before the first request
 */
export function authorizerFrom(
  env: { readonly JWT_ISSUERS: string; readonly ADMIN_SCOPE: string },
  log?: Pick<Log, "error">,
): Authorize {
  return createAuthorizer({
    issuers: parseIssuers(env.JWT_ISSUERS),
    adminScope: env.ADMIN_SCOPE,
    now: systemClock.now,
    onKeysUnreachable: (cause) => log?.error("the keys of an issuer are not reachable", { error: cause }),
  });
}

const isPublic = (found: Match): boolean => {
  if (!found) return false;
  return "operation" in found ? found.route.scopes === "public" : found.public;
};

function identify(verified: Verified, adminScope: string): Identified {
  if (verified.outcome === "unknown") {
    const detail = "The keys of the token's issuer are not reachable; try again later";
    return { outcome: "unavailable", detail };
  }
  if (verified.outcome === "invalid") return { outcome: "unauthenticated", detail: verified.detail };
  const principal = principalOfToken(verified.tokenClaims, adminScope);
  return principal
    ? { outcome: "identified", principal }
    : { outcome: "unauthenticated", detail: "Invalid token subject" };
}

/** The prefix may be left out and its case does not matter. */
function tokenOf(header: string | undefined): string | undefined {
  const token = header?.trim().replace(/^bearer\s+/i, "");
  return token || undefined;
}

function decide(principal: Principal, method: string, found: Match, adminScope: string): Decision {
  if (!found || !("operation" in found)) return { outcome: "allow", operation: null, principal };
  const { operation, route, params } = found;
  const required = route.scopes === "public" ? [] : route.scopes;
  if (mayCall(principal, required, { method, path: route.path, params })) {
    return { outcome: "allow", operation, principal };
  }
  return { outcome: "forbidden", operation, detail: refusal(scopeNames(required, adminScope)) };
}

function refusal(required: readonly string[]): string {
  const suffix = required.length > 0 ? `. Required scope(s): ${required.join(", ")}` : "";
  return `Insufficient permissions${suffix}`;
}
