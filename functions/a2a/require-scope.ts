import { mayCall } from "../../shared/auth/scopes.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { A2aRequest } from "./a2a-deps.ts";

/**
 * The check of a route's scope, where only the handler knows what is asked: of a component that the body names, or by a
 * method of JSON-RPC.
 *
 * @throws ServiceError FORBIDDEN
 * @source interface, "A2A routes"; contract, a2a section 2
 */
export function requireScope(
  { principal, component: { kind, id } }: Pick<A2aRequest, "principal" | "component">,
  action: "read" | "run",
): void {
  const scope = `${kind}s:${action}`;
  const target = { method: "POST", path: `/${kind}s/{id}`, params: { id } };
  if (mayCall(principal, [scope], target)) return;
  throw new ServiceError("FORBIDDEN", `Insufficient permissions. Required scope(s): ${scope}`);
}
