import type { TakeUse } from "./grants-record.ts";
import { isAllowed, type Statement } from "./policy.ts";
import { type AwsRequest, requiredPermissions } from "./required-permissions.ts";

/** Who calls: a function, with the statements of its role. */
export type Caller = { readonly name: string; readonly statements: readonly Statement[] };

/**
 * Roles do not change while the platform runs, so each answer is worked out once.
 * Keyed by caller, then by action and resource.
 */
const decisions = new WeakMap<Caller, Map<string, boolean>>();

/**
 * Why a caller may not make a request, or undefined when it may.
 *
 * @param use  told of each permission once
 */
export function refusalOf(caller: Caller, asked: AwsRequest | undefined, use?: TakeUse): string | undefined {
  const needed = asked && requiredPermissions(asked);
  if (!needed) return `${caller.name} made a request that the local platform does not know.`;
  const known = decisions.get(caller) ?? new Map<string, boolean>();
  decisions.set(caller, known);
  const missing = needed.find((permission) => {
    const key = `${permission.action} ${permission.resource}`;
    const decided = known.get(key);
    if (decided !== undefined) return !decided;
    const allowed = isAllowed(caller.statements, permission);
    known.set(key, allowed);
    if (allowed) use?.(caller.name, permission);
    return !allowed;
  });
  if (!missing) return undefined;
  return `${caller.name} is not authorized to perform: ${missing.action} on resource: ${missing.resource}`;
}
