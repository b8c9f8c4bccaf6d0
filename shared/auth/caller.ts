import { ServiceError } from "../errors.ts";
import type { Principal } from "./principal.ts";

/** Whose data a caller is limited to. */
export type Caller =
  | { readonly seesAll: true; readonly user_id: string | null }
  | { readonly seesAll: false; readonly user_id: string };

/**
 * Every caller except an admin is limited to what belongs to the subject of its credential.
 *
 * @throws ServiceError UNAUTHORIZED for a credential without a subject: it can own nothing
 */
export function callerOf({ admin, kind, user_id }: Principal): Caller {
  // A schedule without an owner acts for no user; only its scopes limit it.
  if (admin || (kind === "internal" && user_id === null)) return { seesAll: true, user_id };
  return { seesAll: false, user_id: subjectOf({ user_id }) };
}

/**
 * Whose own things a request is about, an admin's too.
 *
 * @throws ServiceError UNAUTHORIZED for a credential without a subject: it can own nothing
 */
export function subjectOf({ user_id }: Pick<Principal, "user_id">): string {
  if (user_id !== null) return user_id;
  throw new ServiceError(
    "UNAUTHORIZED",
    "this credential names no user, so nothing can belong to it; use a token with a subject",
  );
}
