import type { RecordUse } from "./grants-record.ts";
import { isAllowed, type Statement } from "./policy.ts";
import { type AwsRequest, requiredPermissions } from "./required-permissions.ts";

/** The calling function, with the statements of its role. */
export type Caller = { readonly name: string; readonly statements: readonly Statement[] };

/**
 * Roles do not change while the platform runs, so each decision is computed once.
 * Keyed by caller, then by action and resource.
 */
const decisions = new WeakMap<Caller, Map<string, boolean>>();

/**
 * The reason why a caller may not make a request, or undefined when it may.
 *
 * @param use  called once per permission that the caller uses
 */
export function refusalOf(
  caller: Caller,
  request: AwsRequest | undefined,
  use?: RecordUse,
): string | undefined {
  const required = request && requiredPermissions(request);
  if (!required) return `${caller.name} made a request that the local platform does not know.`;
  const cached = decisions.get(caller) ?? new Map<string, boolean>();
  decisions.set(caller, cached);
  const missing = required.find((permission) => {
    const key = `${permission.action} ${permission.resource}`;
    const decided = cached.get(key);
    if (decided !== undefined) return !decided;
    const allowed = isAllowed(caller.statements, permission);
    cached.set(key, allowed);
    if (allowed) use?.(caller.name, permission);
    return !allowed;
  });
  if (!missing) return undefined;
  return `${caller.name} is not authorized to perform: ${missing.action} on resource: ${missing.resource}`;
}
