import type { Principal } from "../../shared/auth/principal.ts";
import { mayCall } from "../../shared/auth/scopes/scopes.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Component } from "./for-kind.ts";

/**
 * Checks a scope where only the handler knows which one is needed: for a component that the body names, or a method of
 * JSON-RPC.
 *
 * @throws ServiceError UNAUTHORIZED
 * @source interface, "A2A routes"; contract, a2a section 2
 */
export function requireScope(requester: Requester, action: "read" | "run"): void {
  if (holds(requester, action)) return;
  throw new ServiceError(
    "UNAUTHORIZED",
    `Insufficient permissions. Required scope(s): ${scopeOf(requester, action)}`,
  );
}

/** Refuses a caller who may call no method at all, before it learns whether the component exists. */
export function requireSomeScope(requester: Requester): void {
  if (!holds(requester, "read")) requireScope(requester, "run");
}

type Requester = { readonly principal: Principal; readonly component: Component };

const scopeOf = ({ component }: Requester, action: string): string => `${component.kind}s:${action}`;

function holds(requester: Requester, action: "read" | "run"): boolean {
  const { kind, id } = requester.component;
  const target = { method: "POST", path: `/${kind}s/{id}`, params: { id } };
  return mayCall(requester.principal, [scopeOf(requester, action)], target);
}
