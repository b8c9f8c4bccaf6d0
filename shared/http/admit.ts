import type { Decision } from "../auth/decision.ts";
import { anonymous, type Principal } from "../auth/principal.ts";
import { ServiceError } from "../errors.ts";
import type { Match, Matched } from "../routes/matching/matcher.ts";
import { MCP_RESOURCE_PATH } from "../routes/protocols/mcp-path.ts";

/** A matched operation and the principal who may run it. */
export type Admitted = { readonly found: Matched; readonly principal: Principal };

/**
 * Admits a request only with a decision that allows exactly the operation it is about to run. Everything else is
 * refused, also a request without a decision: its route would have no authorizer.
 *
 * @param origin  scheme and host at which clients learn how to sign in; undefined where they cannot
 * @throws ServiceError UNAUTHENTICATED, UNAUTHORIZED, TOO_MANY_REQUESTS or UNAVAILABLE as decided; then NOT_FOUND or METHOD_NOT_ALLOWED
 * @source docs/interface/access.md 1.1
 */
export function admit(found: Match, decision: Decision | undefined, origin: string | undefined): Admitted {
  if (found && "operation" in found && found.route.scopes === "public") {
    return { found, principal: decision?.outcome === "allow" ? decision.principal : anonymous };
  }
  const principal = allowed(decision, challengeOf(found, origin));
  if (!found) throw new ServiceError("NOT_FOUND", "Not Found");
  if (!("operation" in found)) {
    throw new ServiceError("METHOD_NOT_ALLOWED", "Method Not Allowed", {
      headers: { allow: found.allowed.join(", ") },
    });
  }
  if (decision?.operation !== found.operation) {
    throw new ServiceError("UNAUTHORIZED", "Access was decided for another operation");
  }
  return { found, principal };
}

/** What a refusal for want of a credential says. @source RFC 6750, section 3; RFC 9728, section 5.1 */
const challengeOf = (found: Match, origin: string | undefined): string =>
  origin !== undefined && found && "operation" in found && found.route.challenge
    ? `Bearer resource_metadata="${origin}${MCP_RESOURCE_PATH}${found.route.path}"`
    : "Bearer";

function allowed(decision: Decision | undefined, challenge: string): Principal {
  if (decision?.outcome === "allow") return decision.principal;
  if (decision?.outcome === "forbidden") throw new ServiceError("UNAUTHORIZED", decision.detail);
  if (decision?.outcome === "unavailable") throw new ServiceError("UNAVAILABLE", decision.detail);
  if (decision?.outcome === "throttled") {
    const headers = { "retry-after": String(decision.retry_after_seconds) };
    throw new ServiceError("TOO_MANY_REQUESTS", decision.detail, { headers });
  }
  throw new ServiceError(
    "UNAUTHENTICATED",
    decision?.detail ?? "No credential was checked for this request",
    {
      headers: { "www-authenticate": challenge },
    },
  );
}
