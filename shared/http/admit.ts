import type { Decision } from "../auth/decision.ts";
import { anonymous, type Principal } from "../auth/principal.ts";
import { ServiceError } from "../errors.ts";
import type { Match, Matched } from "../routes/matcher.ts";

/** A matched operation and the principal who may run it. */
export type Admitted = { readonly found: Matched; readonly principal: Principal };

/**
 * Admits a request only with a decision that allows exactly the operation it is about to run. Everything else is
 * refused, also a request without a decision: its route would have no authorizer.
 *
 * @throws ServiceError UNAUTHENTICATED, UNAUTHORIZED, TOO_MANY_REQUESTS or UNAVAILABLE as decided; then NOT_FOUND or METHOD_NOT_ALLOWED
 * @source contract, auth section 9: the order of 401, 403, 404 and 405
 */
export function admit(found: Match, decision: Decision | undefined): Admitted {
  if (found && "operation" in found && found.route.scopes === "public") {
    return { found, principal: decision?.outcome === "allow" ? decision.principal : anonymous };
  }
  const principal = allowed(decision);
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

function allowed(decision: Decision | undefined): Principal {
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
      headers: { "www-authenticate": "Bearer" },
    },
  );
}
