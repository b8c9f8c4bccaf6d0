import type { Principal } from "./principal.ts";
import { mayCall } from "./scopes.ts";

/** Whether a principal may run a component. */
export const mayRun = (
  principal: Pick<Principal, "scopes" | "admin">,
  { type, id }: { readonly type: "agent" | "team" | "workflow"; readonly id: string },
): boolean =>
  mayCall(principal, [runScope(type)], { method: "POST", path: `/${type}s/{id}/runs`, params: { id } });

/** The scope needed to run any component of a kind. */
export const runScope = (type: "agent" | "team" | "workflow"): string => `${type}s:run`;
