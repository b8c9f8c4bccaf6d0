import type { Operations } from "../../client/index.ts";

/** Who a credential is. */
export type Me = Operations["getMe"]["answer"];

export type RunnableKind = "agents" | "teams" | "workflows";

/**
 * Whether a user's scopes allow what needs `scope`, as far as a page knows: it decides what is shown; the platform
 * decides what is done.
 *
 * @param scope  `resource:action`; `platform:admin` stands for being an admin
 * @param id     of the component that it is about; without one, a scope on any single component is enough
 */
export function may(me: Pick<Me, "is_admin" | "scopes">, scope: string, id?: string): boolean {
  if (me.is_admin) return true;
  const [resource, action] = scope.split(":");
  return me.scopes.some((held) => {
    const parts = held.split(":");
    if (parts.length === 2) return parts[0] === resource && parts[1] === action;
    return (
      parts.length === 3 &&
      parts[0] === resource &&
      parts[2] === action &&
      (parts[1] === "*" || id === undefined || parts[1] === id)
    );
  });
}
