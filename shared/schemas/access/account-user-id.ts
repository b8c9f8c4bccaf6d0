/** Prefix of the user id of every service account; no issuer's token may carry a subject with it. */
const PREFIX = "sa:";

/** The user id of an account. */
export const subjectOfAccount = (name: string): string => `${PREFIX}${name}`;

/** The name of the account that a user id means; undefined for any other user. */
export const accountNameOf = (userId: string): string | undefined =>
  userId.startsWith(PREFIX) ? userId.slice(PREFIX.length) : undefined;
