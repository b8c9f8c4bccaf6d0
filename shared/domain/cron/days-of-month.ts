import type { Cron } from "./cron.ts";

/**
 * The days of one month that an expression matches, ascending.
 *
 * @param month  1 is January
 */
export function daysOfMonth({ monthDays, weekdays }: Cron, year: number, month: number): number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const all = Array.from({ length }, (_, index) => index + 1);
  if (!monthDays && !weekdays) return all;
  const firstWeekday = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return all.filter((day) => {
    const weekday = (firstWeekday + day - 1) % 7;
    const nth = Math.ceil(day / 7);
    return (
      monthDays?.days.includes(day) ||
      (monthDays?.last && day === length) ||
      weekdays?.every.includes(weekday) ||
      weekdays?.nth.some((rule) => rule.weekday === weekday && rule.nth === nth) ||
      (weekdays?.last.includes(weekday) && day + 7 > length)
    );
  });
}
