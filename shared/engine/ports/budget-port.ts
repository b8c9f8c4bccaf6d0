/** Tokens and dollars. */
export type Spending = { readonly tokens: number; readonly cost: number };

/** The most that may be spent; without a value there is no limit. */
export type SpendingLimits = { readonly tokens?: number; readonly cost?: number };

/** Whose day a call is counted in: a user's, that of the service account that acts for the user, and that of all users together. */
export type Payer = "user" | "account" | "deployment";

/** What limits were raised to for a run. */
export type RaisedLimits = { readonly [payer in Payer]?: SpendingLimits };

export type DailyReservation =
  | {
      readonly granted: true;
      /** Replaces the held amount by the spent one. Never fails; what is not settled stays held. */
      readonly settle: (spent: Spending) => Promise<void>;
    }
  /** `limits` are those of the payer without room, `spent` is what that payer has used or holds today. */
  | {
      readonly granted: false;
      readonly payer: Payer;
      readonly limits: SpendingLimits;
      readonly spent: Spending;
    };

/** What may be spent in a day (UTC), all runs together. */
export type DailyBudget = {
  /**
   * Holds the most that a call can spend, when the limits leave room for it.
   *
   * @param call    unique for the call within its run; the same call is held once
   * @param raised  what a person raised limits to for this run
   */
  readonly reserve: (call: string, atMost: Spending, raised?: RaisedLimits) => Promise<DailyReservation>;
};

/**
 * The daily budget from which the calls of a user or a service account are paid; undefined when nothing limits them.
 *
 * @param user_id  null for runs without a user
 * @param key      unique for what makes the calls, such as a run and its attempt: it never settles another's reservation
 */
export type DailyBudgets = (user_id: string | null, key: string) => Promise<DailyBudget | undefined>;
