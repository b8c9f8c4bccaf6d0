import { Cron } from "croner";
import { instantOf, wallTimeAt } from "../../shared/domain/cron/local-time.ts";

/** The first fire time after an instant; both in epoch milliseconds. Undefined when there is none. */
export type NextFire = (afterMs: number) => number | undefined;

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** Upper bound of how far clocks are set back. */
const FOLD_MS = 3 * 3_600_000;

/**
 * Reads `cron(…)`, `rate(…)` or `at(…)` as EventBridge Scheduler does: a local time that is skipped when clocks go
 * forward does not fire, and one that occurs twice fires the first time.
 *
 * @param createdMs  start of a rate
 * @throws Error when the expression is invalid
 * @source EventBridge Scheduler user guide, "Schedule types", "Daylight savings time"
 */
export function readExpression(expression: string, zone: string, createdMs: number): NextFire {
  const [, kind = "", inner = ""] = /^(cron|rate|at)\((.+)\)$/.exec(expression) ?? [];
  if (kind === "cron") return readCron(inner, zone);
  if (kind === "rate") return readRate(inner, createdMs);
  if (kind === "at") return readAt(inner, zone);
  throw new Error(`Invalid Schedule Expression ${expression}.`);
}

function readCron(inner: string, zone: string): NextFire {
  const fields = inner.split(" ");
  const unspecified = fields.slice(2, 5).filter((field, i) => i !== 1 && field === "?");
  if (fields.length !== 6 || unspecified.length !== 1)
    throw new Error(`Invalid Schedule Expression cron(${inner}).`);
  // The cron expression yields local times without a zone; each is then converted to an instant in the zone.
  const calendar = new Cron(`0 ${inner}`, {
    mode: "7-part",
    alternativeWeekdays: true,
    domAndDow: true,
    timezone: "UTC",
    paused: true,
  });
  return (afterMs) => {
    let wall: Date | null = new Date(wallTimeAt(afterMs, zone) - FOLD_MS);
    for (wall = calendar.nextRun(wall); wall; wall = calendar.nextRun(wall)) {
      const ms = instantOf(wall.getTime(), zone);
      if (ms !== undefined && ms > afterMs) return ms;
    }
    return undefined;
  };
}

function readRate(inner: string, createdMs: number): NextFire {
  const [, count, unit = ""] = /^([1-9]\d*) (minute|hour|day)s?$/.exec(inner) ?? [];
  const everyMs = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (Number.isNaN(everyMs)) throw new Error(`Invalid Schedule Expression rate(${inner}).`);
  return (afterMs) => createdMs + Math.max(0, Math.floor((afterMs - createdMs) / everyMs) + 1) * everyMs;
}

function readAt(inner: string, zone: string): NextFire {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(inner) ? Date.parse(`${inner}Z`) : Number.NaN;
  if (Number.isNaN(wall)) throw new Error(`Invalid Schedule Expression at(${inner}).`);
  const ms = instantOf(wall, zone);
  return (afterMs) => (ms !== undefined && ms > afterMs ? ms : undefined);
}
