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
export function requireScope(asker: Asker, action: "read" | "run"): void {
  if (holds(asker, action)) return;
  throw new ServiceError(
    "FORBIDDEN",
    `Insufficient permissions. Required scope(s): ${scopeOf(asker, action)}`,
  );
}

/** Refuses who could call no method at all, before it learns whether the component exists. */
export function requireSomeScope(asker: Asker): void {
  if (!holds(asker, "read")) requireScope(asker, "run");
}

type Asker = Pick<A2aRequest, "principal" | "component">;

const scopeOf = ({ component }: Asker, action: string): string => `${component.kind}s:${action}`;

function holds(asker: Asker, action: "read" | "run"): boolean {
  const { kind, id } = asker.component;
  const target = { method: "POST", path: `/${kind}s/{id}`, params: { id } };
  return mayCall(asker.principal, [scopeOf(asker, action)], target);
}
