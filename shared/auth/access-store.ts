/** What is needed to check a service account's token. */
export type TokenRecord = {
  readonly account_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Epoch seconds; absent for a token that stays valid. */
  readonly valid_until?: number | undefined;
  readonly revoked_at?: number | undefined;
  /** Of an app that a user has connected: the user as whom it acts. */
  readonly user_id?: string | undefined;
};

/** How often something has happened in the current window, and when the window ends (epoch seconds). */
export type WindowCount = { readonly count: number; readonly ends_at: number };

/**
 * What decisions on access read and write. Service accounts are in a table that this folder does not know.
 * Instants are epoch seconds.
 */
export type AccessStore = {
  /** Consistent: a token that was revoked before the call reads as revoked. */
  readonly findToken: (hash: string) => Promise<TokenRecord | undefined>;
  /** The same of a token of a connected app. */
  readonly findAppToken: (hash: string) => Promise<TokenRecord | undefined>;
  /** Hashes of the tokens of all accounts that are not revoked, of this moment or a second ago. */
  readonly listTokens: () => Promise<ReadonlySet<string>>;
  /** Records that an account was used, unless that was recorded within the last minute. */
  readonly recordUse: (accountId: string, now: number) => Promise<void>;
  readonly countFailure: (address: string, now: number) => Promise<WindowCount>;
  /** Adds requests of a principal to its current minute. */
  readonly countRequests: (who: string, count: number, now: number) => Promise<WindowCount>;
};
