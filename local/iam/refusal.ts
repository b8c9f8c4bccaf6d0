import { isAllowed, type Statement } from "./policy.ts";
import { type AwsRequest, requiredPermissions } from "./required-permissions.ts";

/** Who calls: a function, with the statements of its role. */
export type Caller = { readonly name: string; readonly statements: readonly Statement[] };

/**
 * Roles do not change while the platform runs, so each answer is worked out once.
 * Keyed by caller, then by action and resource.
 */
const decisions = new WeakMap<Caller, Map<string, boolean>>();

/** Why a caller may not make a request, or undefined when it may. */
export function refusalOf(caller: Caller, asked: AwsRequest | undefined): string | undefined {
  const needed = asked && requiredPermissions(asked);
  if (!needed) return `${caller.name} made a request that the local platform does not know.`;
  const known = decisions.get(caller) ?? new Map<string, boolean>();
  decisions.set(caller, known);
  const missing = needed.find((permission) => {
    const key = `${permission.action} ${permission.resource}`;
    const allowed = known.get(key) ?? isAllowed(caller.statements, permission);
    known.set(key, allowed);
    return !allowed;
  });
  if (!missing) return undefined;
  return `${caller.name} is not authorized to perform: ${missing.action} on resource: ${missing.resource}`;
}
