/** A local time, as the epoch milliseconds that the same date and time would have in UTC. */
export type WallTime = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time of a zone at an instant. @param ms epoch milliseconds */
export function wallTimeAt(ms: number, zone: string): WallTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const DAY_MS = 86_400_000;

/**
 * The instant of a local time in a zone: the first one if the time occurs twice.
 *
 * @returns epoch milliseconds; undefined for a time that is skipped when the clocks go forward
 */
export function instantOf(wall: WallTime, zone: string): number | undefined {
  // Clocks change at most once within two days, so the offsets of its two ends are all that can hold.
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  if (before === after) return wall - before;
  const instants = [wall - before, wall - after].filter((ms) => wallTimeAt(ms, zone) === wall);
  return instants.length > 0 ? Math.min(...instants) : undefined;
}

/** How far a zone is ahead of UTC at an instant, in milliseconds. @param ms epoch milliseconds */
export const offsetAt = (ms: number, zone: string): number =>
  wallTimeAt(ms, zone) - Math.floor(ms / 1000) * 1000;

/** Creating a format takes a hundred times as long as using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const created = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, created);
  return created;
}
