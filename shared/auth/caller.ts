import { ServiceError } from "../errors.ts";
import type { Principal } from "./principal.ts";

/** Whose data a caller is limited to. */
export type Caller =
  | { readonly seesAll: true; readonly user_id: string | null }
  | { readonly seesAll: false; readonly user_id: string };

/**
 * Every caller but an admin is limited to what belongs to the subject of its credential.
 *
 * @throws ServiceError FORBIDDEN for a credential that names nobody: it could own nothing
 * @source contract, auth section 8
 */
export function callerOf({ admin, kind, user_id }: Principal): Caller {
  // A schedule of nobody's acts for nobody in particular; its scopes are all that limits it.
  if (admin || (kind === "internal" && user_id === null)) return { seesAll: true, user_id };
  if (user_id !== null) return { seesAll: false, user_id };
  throw new ServiceError(
    "FORBIDDEN",
    "this credential names no user, so nothing can belong to it; use a token with a subject",
  );
}
