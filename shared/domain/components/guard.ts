import { ServiceError } from "../../errors.ts";
import type { Guard } from "../../schemas/components/component-bodies.ts";

/** The present values of what the route checks; undefined for "none". */
type Present = { readonly [K in keyof Guard]: number | undefined };

/** A guard's number for "none yet"; versions begin at 1. */
const NONE = 0;

/**
 * Refuses a change that expects another state than the present one.
 *
 * @param present  by the names that this route checks
 * @throws ServiceError BAD_REQUEST for a name that the route does not check; CONFLICT for another value than expected
 */
export function requireGuard(guard: Guard | null | undefined, present: Present): void {
  for (const name of ["latest_version", "current_version"] as const) {
    const expected = guard?.[name];
    if (expected === undefined || expected === null) continue;
    if (!(name in present))
      throw new ServiceError("BAD_REQUEST", `${name} is not checked here; leave it out`);
    const found = present[name] ?? NONE;
    if (found === expected) continue;
    throw new ServiceError(
      "CONFLICT",
      `${name} is ${found || "none"}, and ${expected || "none"} was expected`,
    );
  }
}
