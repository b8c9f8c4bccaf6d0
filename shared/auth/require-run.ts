import { ServiceError } from "../errors.ts";
import type { Principal } from "./principal.ts";
import { mayCall } from "./scopes.ts";

type Target = { readonly type: "agent" | "team" | "workflow"; readonly id: string };

/** Whether a principal may run a component. */
const mayRun = (principal: Pick<Principal, "scopes" | "admin">, { type, id }: Target): boolean =>
  mayCall(principal, [`${type}s:run`], { method: "POST", path: `/${type}s/{id}/runs`, params: { id } });

/**
 * Refuses a principal who may not run all of these components.
 *
 * @throws ServiceError FORBIDDEN with the narrowest scopes that are missing, such as `agents:refund-desk:run`
 */
export function requireRun(principal: Pick<Principal, "scopes" | "admin">, targets: readonly Target[]): void {
  const missing = targets.filter((target) => !mayRun(principal, target));
  if (missing.length === 0) return;
  const scopes = new Set(missing.map(({ type, id }) => `${type}s:${id}:run`));
  throw new ServiceError(
    "FORBIDDEN",
    `Insufficient permissions. Required scope(s): ${[...scopes].join(", ")}`,
  );
}

/** The same for one principal. */
export const requireRunBy =
  (principal: Pick<Principal, "scopes" | "admin">) =>
  (targets: readonly Target[]): void =>
    requireRun(principal, targets);
