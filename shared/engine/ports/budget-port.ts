/** Tokens and dollars. */
export type Spending = { readonly tokens: number; readonly cost: number };

/** The most that may be spent; without a value there is no limit. */
export type SpendingLimits = { readonly tokens?: number; readonly cost?: number };

export type DailyReservation =
  | {
      readonly granted: true;
      /** Replaces the held amount by the spent one. Never fails; what is not settled stays held. */
      readonly settle: (spent: Spending) => Promise<void>;
    }
  /** `spent` is what the user has used or holds today. */
  | { readonly granted: false; readonly spent: Spending };

/** What a user may spend in a day (UTC), all runs together. */
export type DailyBudget = {
  readonly limits: SpendingLimits;
  /**
   * Holds the most that a call can spend, when the limits leave room for it.
   *
   * @param call    unique for the call within its run; the same call is held once
   * @param limits  those of this run: the configured ones, or what a person raised them to
   */
  readonly reserve: (call: string, atMost: Spending, limits: SpendingLimits) => Promise<DailyReservation>;
};
