import type { Cron } from "./cron.ts";

const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;

/**
 * The same schedule in the syntax of EventBridge Scheduler: `cron(minute hour day month weekday year)`.
 *
 * Its expressions must leave one of the day fields open, and `#` and `L` must be alone in their field. So several day
 * rules become several expressions, and more than one may match the same time. Fields are written as lists of their
 * values, so that no operator can be read differently there.
 *
 * @source EventBridge Scheduler user guide, "Schedule types"
 */
export function eventBridgeExpressions({ minutes, hours, months, monthDays, weekdays }: Cron): string[] {
  const time = `${listed(minutes, 60)} ${listed(hours, 24)}`;
  const month = listed(months, 12);
  const onDay = (day: string) => `cron(${time} ${day} ${month} ? *)`;
  const onWeekday = (weekday: string) => `cron(${time} ? ${month} ${weekday} *)`;
  if (!monthDays && !weekdays) return [onDay("*")];
  const expressions = [
    ...(monthDays && monthDays.days.length > 0 ? [onDay(listed(monthDays.days, 31))] : []),
    ...(monthDays?.last ? [onDay("L")] : []),
    ...(weekdays && weekdays.every.length > 0
      ? [onWeekday(weekdays.every.map((day) => weekdayNames[day]).join(","))]
      : []),
    ...(weekdays?.nth ?? []).map(({ weekday, nth }) => onWeekday(`${weekday + 1}#${nth}`)),
    ...(weekdays?.last ?? []).map((weekday) => onWeekday(`${weekday + 1}L`)),
  ];
  return [...new Set(expressions)];
}

/** Values as a list with ranges. @param size how many values the field has at all */
function listed(values: readonly number[], size: number): string {
  if (values.length === size) return "*";
  return runsOf(values)
    .map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(",")))
    .join(",");
}

/** Splits ascending values into consecutive ones. */
function runsOf(values: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run?.at(-1) === value - 1) run.push(value);
    else runs.push([value]);
  }
  return runs;
}
