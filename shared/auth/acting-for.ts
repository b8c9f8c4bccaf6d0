import { ServiceError } from "../errors.ts";
import type { Principal } from "./principal.ts";

/** What a schedule may reach for its owner: running things, and looking at them. */
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
 * The platform's own identity, acting for whom a schedule belongs to. Only code makes one: no token stands for it, and
 * whoever writes its name into a token is refused.
 *
 * @param owner  null for a schedule that belongs to nobody; it is limited by its scopes alone
 * @throws ServiceError FORBIDDEN for an owner that is blank or the platform itself
 * @source contract, auth section 5
 */
export function actingFor(owner: string | null): Principal {
  if (owner !== null && (owner.trim() === "" || owner === "__scheduler__")) {
    throw new ServiceError("FORBIDDEN", "a schedule acts for a user; this owner is none");
  }
  return { kind: "internal", user_id: owner, scopes, admin: false };
}
