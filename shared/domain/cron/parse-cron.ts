import type { Cron, MonthDays, Weekdays } from "./cron.ts";
import { CronError, type FieldRange, readField, readValue } from "./read-field.ts";

const minutes: FieldRange = { name: "minute", min: 0, max: 59 };
const hours: FieldRange = { name: "hour", min: 0, max: 23 };
const monthDays: FieldRange = { name: "day of month", min: 1, max: 31 };
const months: FieldRange = {
  name: "month",
  min: 1,
  max: 12,
  words: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
/** 7 is Sunday too. */
const weekdays: FieldRange = {
  name: "day of week",
  min: 0,
  max: 7,
  cycle: 7,
  words: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

const aliases: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

/** The parsed expression, or what is wrong with the text, in words for the user. */
export type ParsedCron =
  | { readonly ok: true; readonly cron: Cron }
  | { readonly ok: false; readonly fault: string };

/**
 * Reads a cron expression: minute, hour, day of month, month, day of week; or an alias.
 *
 * @source docs/interface/schedules.md 3.1
 */
export function parseCron(text: string): ParsedCron {
  try {
    return { ok: true, cron: parse(text) };
  } catch (error) {
    if (error instanceof CronError) return { ok: false, fault: error.message };
    throw error;
  }
}

function parse(text: string): Cron {
  const trimmed = text.trim().toLowerCase();
  const fields = (aliases.get(trimmed) ?? trimmed).split(/\s+/);
  const [minute = "", hour = "", monthDay = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5) {
    throw new CronError(
      "it must have five fields: minute, hour, day of month, month, day of week (or be an alias such as @daily)",
    );
  }
  return {
    minutes: readField(minute, minutes),
    hours: readField(hour, hours),
    months: readField(month, months),
    ...(isRestricted(monthDay) && { monthDays: readMonthDays(monthDay) }),
    ...(isRestricted(weekday) && { weekdays: readWeekdays(weekday) }),
  };
}

/** Only a bare star does not restrict days: `*` with a step is a rule like any other field. */
const isRestricted = (field: string): boolean => field !== "*" && field !== "?";

function readMonthDays(field: string): MonthDays {
  const items = field.split(",");
  const plain = items.filter((item) => item !== "l");
  return {
    days: plain.length > 0 ? readField(plain.join(","), monthDays) : [],
    last: plain.length < items.length,
  };
}

function readWeekdays(field: string): Weekdays {
  const items = field.split(",");
  const nth = items.filter((item) => item.includes("#"));
  const last = items.filter((item) => /^l./.test(item));
  const plain = items.filter((item) => !nth.includes(item) && !last.includes(item));
  return {
    every: plain.length > 0 ? readField(plain.join(","), weekdays) : [],
    nth: nth.map(readNth),
    last: [...new Set(last.map((item) => readValue(item.slice(1), weekdays) % 7))],
  };
}

function readNth(item: string): Weekdays["nth"][number] {
  const [weekday = "", nth = "", ...rest] = item.split("#");
  if (!/^[1-5]$/.test(nth) || rest.length > 0) {
    throw new CronError(`"${item}" must name a weekday and which one of the month it is, from 1 to 5`);
  }
  return { weekday: readValue(weekday, weekdays) % 7, nth: Number(nth) };
}
