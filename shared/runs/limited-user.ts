import type { Principal } from "../auth/principal.ts";

/**
 * Whose runs the limits of one user count: how many may wait, and how many may go on in the foreground. Nobody's for an
 * admin, who answers for the whole platform, and for a credential without a subject.
 */
export const limitedUser = ({ admin, user_id }: Pick<Principal, "admin" | "user_id">): string | null =>
  admin ? null : user_id;
