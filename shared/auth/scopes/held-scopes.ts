import { ServiceError } from "../../errors.ts";
import { parseScope } from "./parse-scope.ts";
import { mayCall } from "./scopes.ts";

/** Who holds scopes. */
export type Holder = Parameters<typeof mayCall>[0];

type Component = { readonly kind: "agent" | "team" | "workflow" | "skill"; readonly id: string };

const whole = { method: "POST", path: "/mcp", params: {} };

/** Whether a caller holds a scope that names no component, such as `sessions:read`. */
export const holds = (holder: Holder, scope: string): boolean => mayCall(holder, [scope], whole);

/** Whether a caller may do something with at least one component of a kind. */
export const holdsSome = (holder: Holder, kind: Component["kind"], action: "read" | "run"): boolean =>
  holder.admin ||
  holder.scopes.some((text) => {
    const scope = parseScope(text);
    return scope?.resource === `${kind}s` && scope.action === action;
  });

/** Whether a caller may do all of these with a component. */
export const mayUse = (holder: Holder, { kind, id }: Component, ...actions: ("read" | "run")[]): boolean =>
  mayCall(
    holder,
    actions.map((action) => `${kind}s:${action}`),
    { method: "POST", path: `/${kind}s/{id}`, params: { id } },
  );

/** @throws ServiceError UNAUTHORIZED with the narrowest scopes */
export function requireUse(holder: Holder, component: Component, ...actions: ("read" | "run")[]): void {
  if (mayUse(holder, component, ...actions)) return;
  const scopes = actions.map((action) => `${component.kind}s:${component.id}:${action}`).join(", ");
  throw new ServiceError("UNAUTHORIZED", `Insufficient permissions. Required scope(s): ${scopes}`);
}
