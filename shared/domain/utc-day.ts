/** A day in UTC, such as `2026-11-21`. Days compare as texts. */
export type UtcDay = string;

export const DAY_SECONDS = 86_400;

/** @param at epoch seconds */
export const utcDay = (at: number): UtcDay => new Date(at * 1000).toISOString().slice(0, 10);

/** Its midnight, epoch seconds. */
export const startOfDay = (day: UtcDay): number => Date.parse(`${day}T00:00:00Z`) / 1000;
