import { type Family, families } from "./index.ts";
import { a2aRoutesAt } from "./protocols/a2a.ts";
import { type ServedProtocols, withServedProtocols } from "./protocols/protocol-operations.ts";
import type { Route, RouteTable } from "./route.ts";

/** A deployment's settings of the optional interfaces; the names are those of the environment. */
export type Interfaces = ServedProtocols & {
  readonly A2A_ENABLED: "true" | "false";
  readonly A2A_PREFIX: `/${string}`;
};

/** The families that a deployment serves, with the paths at which it serves them. */
export function servedFamilies(interfaces: Interfaces): Partial<Record<Family, RouteTable>> {
  const { a2a: _, runs, "service-accounts": accounts, ...others } = families;
  const always = {
    ...others,
    runs: withServedProtocols<Route>(runs, interfaces),
    "service-accounts": withServedProtocols<Route>(accounts, interfaces),
  };
  return interfaces.A2A_ENABLED === "true" ? { ...always, a2a: a2aRoutesAt(interfaces.A2A_PREFIX) } : always;
}
