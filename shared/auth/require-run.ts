import { ServiceError } from "../errors.ts";
import type { Principal } from "./principal.ts";
import { mayCall } from "./scopes/scopes.ts";

type Target = { readonly type: "agent" | "team" | "workflow" | "skill"; readonly id: string };

/** What using a component takes: a skill is read, the others are run. */
const actionOn = ({ type }: Target) => (type === "skill" ? "read" : "run");

/** Whether a principal may run a component, or read a skill. */
const mayRun = (principal: Pick<Principal, "scopes" | "admin">, target: Target): boolean => {
  const { type, id } = target;
  const needed = [`${type}s:${actionOn(target)}`];
  return mayCall(principal, needed, { method: "POST", path: `/${type}s/{id}/runs`, params: { id } });
};

/** The narrowest scope that a principal lacks to use a component, such as `agents:refund-desk:run`; undefined for none. */
export const missingRunScope = (
  principal: Pick<Principal, "scopes" | "admin">,
  target: Target,
): string | undefined =>
  mayRun(principal, target) ? undefined : `${target.type}s:${target.id}:${actionOn(target)}`;

/**
 * Refuses a principal who may not run all of these components, or not read the skills among them.
 *
 * @throws ServiceError UNAUTHORIZED with the narrowest scopes that are missing, such as `agents:refund-desk:run`
 */
export function requireRun(principal: Pick<Principal, "scopes" | "admin">, targets: readonly Target[]): void {
  const missing = targets.flatMap((target) => missingRunScope(principal, target) ?? []);
  if (missing.length > 0) throw new ServiceError("UNAUTHORIZED", missingScopesText(missing));
}

/** What a refusal for missing scopes says. */
export const missingScopesText = (scopes: readonly string[]): string =>
  `Insufficient permissions. Required scope(s): ${[...new Set(scopes)].join(", ")}`;

/** The same for one principal. */
export const requireRunBy =
  (principal: Pick<Principal, "scopes" | "admin">) =>
  (targets: readonly Target[]): void =>
    requireRun(principal, targets);
