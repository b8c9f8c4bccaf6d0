/** The authenticated caller. Built from the credential alone; no other part of a request changes it. */
export type Principal = {
  readonly kind: "user" | "service_account" | "internal" | "anonymous";
  /** Subject of the credential; null when it has none. */
  readonly user_id: string | null;
  readonly scopes: readonly string[];
  /** Holds the admin scope: sees and may do everything. */
  readonly admin: boolean;
  /** Id of the grant of a connected app that acts for the user; absent for every other credential. */
  readonly app?: string | undefined;
};

export const anonymous: Principal = { kind: "anonymous", user_id: null, scopes: [], admin: false };
