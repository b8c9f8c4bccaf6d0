import { matchRoute } from "../../routes/matching/match.ts";
import { isProtocolOperation } from "../../routes/protocols/protocol-operations.ts";
import { decide } from "../decide.ts";
import { ADMIN_ONLY } from "../scopes/admin-scope.ts";
import { actingFor } from "./acting-for.ts";

/**
 * Why a schedule can never make a call, whoever owns it: there is no such route, or what acts for owners of schedules
 * holds no scope for it. The same decision as at each firing.
 *
 * @param rawPath  percent-encoded, without the query
 * @returns        undefined when the call may be made
 */
export function neverCallable(method: string, rawPath: string): string | undefined {
  const found = matchRoute(method, rawPath);
  // A2A, AG-UI and MCP are for other systems' clients; their calls are those of the runs.
  if (!found || !("operation" in found) || found.family === "a2a" || isProtocolOperation(found.operation)) {
    return `there is no ${method} ${rawPath} in this service`;
  }
  const rules = { adminScope: ADMIN_ONLY, mappedScopes: () => undefined };
  const decision = decide(actingFor(null), { method, rawPath, found }, rules);
  if (decision.outcome === "allow") return undefined;
  return `schedules run agents, teams and workflows and read them and schedules; ${method} ${rawPath} is neither`;
}
