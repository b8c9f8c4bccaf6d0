import { ServiceError } from "../../errors.ts";
import type { Principal } from "../principal.ts";

/** What a schedule may do for its owner: run and read runnables, read schedules. */
const scopes = [
  "agents:read",
  "agents:run",
  "teams:read",
  "teams:run",
  "workflows:read",
  "workflows:run",
  "schedules:read",
] as const;

/**
 * The platform's own principal, acting for the owner of a schedule. Only code creates it: no token carries it, and a
 * token with its name as subject is refused.
 *
 * @param owner  null for a schedule without an owner; it is limited by its scopes alone
 * @throws ServiceError UNAUTHORIZED for an owner that is blank or the platform itself
 * @source docs/interface/access.md 4.2
 */
export function actingFor(owner: string | null): Principal {
  if (owner !== null && (owner.trim() === "" || owner === "__scheduler__")) {
    throw new ServiceError("UNAUTHORIZED", "a schedule acts for a user; this owner is none");
  }
  return { kind: "internal", user_id: owner, scopes, admin: false };
}
