import cronstrue from "cronstrue";
import { cronProblem } from "../../../shared/domain/cron/cron-problem.ts";
import { nextRun } from "../../../shared/domain/cron/next-run.ts";
import { parseCron } from "../../../shared/domain/cron/parse-cron.ts";
import { canonicalZone } from "../../../shared/domain/cron/time-zone.ts";

/** The times of a schedule that has none: it runs on demand. */
export const ON_DEMAND = "";

/**
 * A cron expression in words.
 *
 * @returns undefined where there are no words for it: the expression itself is shown then
 */
export function cronWords(expression: string): string | undefined {
  if (expression === ON_DEMAND) return "Only on demand";
  if (cronProblem(expression) !== undefined) return undefined;
  try {
    return cronstrue.toString(asOthersWrite(expression), { use24HourTimeFormat: true });
  } catch {
    return undefined;
  }
}

/** The platform writes the last Friday `L5`, most others `5L`. */
const asOthersWrite = (expression: string): string =>
  expression.trim().replace(/\bl([0-7]|sun|mon|tue|wed|thu|fri|sat)\b/gi, "$1L");

/** Why the platform would refuse the expression, in its own words; undefined when it would not. */
export const problemOfCron = (expression: string): string | undefined =>
  expression.trim() === ON_DEMAND ? undefined : cronProblem(expression);

/**
 * The next times of a schedule, as the platform computes them.
 *
 * @param after  epoch seconds; every time is later
 * @param until  epoch seconds; no time is later
 * @returns      epoch seconds, at most `most`; none for what is not valid or has no times
 */
export function nextTimes(
  { cron_expr, timezone }: { readonly cron_expr: string; readonly timezone: string },
  after: number,
  most: number,
  until = Number.POSITIVE_INFINITY,
): readonly number[] {
  if (cron_expr.trim() === ON_DEMAND) return [];
  const parsed = parseCron(cron_expr);
  const zone = canonicalZone(timezone);
  if (!parsed.ok || zone === undefined) return [];
  const times: number[] = [];
  for (let at = nextRun(parsed.cron, zone, after); at !== undefined && at <= until; ) {
    times.push(at);
    if (times.length === most) break;
    at = nextRun(parsed.cron, zone, at);
  }
  return times;
}

export const isZone = (name: string): boolean => canonicalZone(name) !== undefined;

/** A time as the clocks of a zone show it. @param at epoch seconds */
export function timeIn(at: number, zone: string): string {
  const timeZone = canonicalZone(zone) ?? "UTC";
  return new Intl.DateTimeFormat(undefined, {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).format(at * 1000);
}

/** Time zones to choose from; UTC first. */
export const zones: readonly string[] = ["UTC", ...Intl.supportedValuesOf("timeZone")].filter(
  (name, at, all) => all.indexOf(name) === at,
);

/** The zone of the reader's own clock. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
