/** A reading of the clock on the wall, as the epoch milliseconds that the same reading would have in UTC. */
export type WallTime = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks of a zone show at an instant. @param ms epoch milliseconds */
export function wallTimeAt(ms: number, zone: string): WallTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const DAY_MS = 86_400_000;

/**
 * The instant at which clocks of a zone show a time: the first one where they show it twice.
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

/** How far clocks of a zone are ahead of UTC at an instant, in milliseconds. @param ms epoch milliseconds */
export const offsetAt = (ms: number, zone: string): number =>
  wallTimeAt(ms, zone) - Math.floor(ms / 1000) * 1000;

/** Making a format takes a hundred times as long as using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en", {
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
  formats.set(zone, made);
  return made;
}
