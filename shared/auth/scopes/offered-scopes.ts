import type { Principal } from "../principal.ts";
import { mayGrant } from "./may-grant.ts";
import { parseScope } from "./parse-scope.ts";

/** Scopes that the tools of the MCP server ask for, without those for single components. An app gets none beyond these. */
export const mcpScopes: readonly string[] = [
  ...["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]),
  "sessions:read",
  "knowledge:read",
];

/**
 * What a user may let an app do: of what it asks for, what the user holds. Whoever may run one agent offers that one to an app that
 * asks for all.
 *
 * @param asked  the `scope` of its request; all scopes of the MCP server when it names none
 */
export function offeredScopes(
  user: Pick<Principal, "admin" | "scopes">,
  asked: string | undefined,
  adminScope: string,
): readonly string[] {
  const named = new Set((asked ?? "").split(/\s+/).filter((scope) => scope !== ""));
  const wanted = mcpScopes.filter((scope) => named.size === 0 || named.has(scope));
  return [
    ...new Set(
      wanted.flatMap((scope) =>
        mayGrant(user, scope, adminScope) ? [scope] : heldParts(user.scopes, scope),
      ),
    ),
  ];
}

/** Held scopes on single components, of the kind and for the action that a scope is about. */
function heldParts(held: readonly string[], scope: string): readonly string[] {
  const wanted = parseScope(scope);
  return held.filter((one) => {
    const part = parseScope(one);
    return part !== undefined && part.resource === wanted?.resource && part.action === wanted.action;
  });
}
