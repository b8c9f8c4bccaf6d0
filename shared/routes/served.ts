import { a2aRoutesAt } from "./a2a.ts";
import { type Family, families } from "./index.ts";
import type { RouteTable } from "./route.ts";

/** A deployment's settings of the optional interfaces; the names are those of the environment. */
export type Interfaces = {
  readonly A2A_ENABLED: "true" | "false";
  readonly A2A_PREFIX: `/${string}`;
};

/** The families that a deployment serves, with the paths at which it serves them. */
export function servedFamilies({ A2A_ENABLED, A2A_PREFIX }: Interfaces): Partial<Record<Family, RouteTable>> {
  const { a2a: _, ...always } = families;
  return A2A_ENABLED === "true" ? { ...always, a2a: a2aRoutesAt(A2A_PREFIX) } : always;
}
