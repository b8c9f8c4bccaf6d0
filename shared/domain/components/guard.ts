import { ServiceError } from "../../errors.ts";
import type { Guard } from "../../schemas/components/component-bodies.ts";

/** What is so, as far as the route checks it; undefined for "none". */
type Facts = { readonly [K in keyof Guard]: number | undefined };

/**
 * Refuses a change that expects another state than it would meet.
 *
 * @param facts  by the names that this route checks
 * @throws ServiceError BAD_REQUEST for a name that the route does not check; CONFLICT where what is so differs
 * @source contract, components-and-platform A4 and A5, "Guards"
 */
export function requireGuard(guard: Guard | null | undefined, facts: Facts): void {
  for (const name of ["latest_version", "current_version"] as const) {
    const expected = guard?.[name];
    if (expected === undefined) continue;
    if (!(name in facts)) throw new ServiceError("BAD_REQUEST", `${name} is not checked here; leave it out`);
    const found = facts[name] ?? null;
    if (found === expected) continue;
    throw new ServiceError(
      "CONFLICT",
      `${name} is ${found ?? "none"}, and ${expected ?? "none"} was expected`,
    );
  }
}
