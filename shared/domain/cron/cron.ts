/**
 * When a schedule fires, with every field expanded to its values. Values ascend and are distinct.
 *
 * A day matches when either of the day rules matches it; a missing rule matches nothing, and without both every day
 * matches.
 */
export type Cron = {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 1 is January. */
  readonly months: readonly number[];
  readonly monthDays?: MonthDays;
  readonly weekdays?: Weekdays;
};

export type MonthDays = {
  readonly days: readonly number[];
  /** The last day of the month too. */
  readonly last: boolean;
};

/** 0 is Sunday. */
export type Weekdays = {
  readonly every: readonly number[];
  /** The second Friday: `{ weekday: 5, nth: 2 }`. */
  readonly nth: readonly NthWeekday[];
  /** The last one of these in the month. */
  readonly last: readonly number[];
};
export type NthWeekday = { readonly weekday: number; readonly nth: number };
