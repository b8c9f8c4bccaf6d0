const MINUTE = 60;
const STEP = 10 * MINUTE;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** A number that is further away is not taken for a time. Records of the audit are kept for 400 days. */
const FAR = 500 * DAY;

/**
 * A time as its distance from the start of the recording, so that the present and, say, an expiry stay different.
 * It is coarse, because the same request comes some seconds earlier or later in another recording: in steps of ten
 * minutes, or of days for a time on a full hour, which was rounded.
 *
 *   −1 min … 9 min → now      9 min … 19 min → now + 10 min      on a full hour, 24 h … 48 h → now + 1 d
 *
 * @param seconds    epoch seconds
 * @param startedAt  epoch seconds
 * @returns undefined when it is too far away to be a time
 */
export function instantOf(seconds: number, startedAt: number): string | undefined {
  const offset = seconds - startedAt + MINUTE;
  if (Math.abs(offset) > FAR) return undefined;
  if (seconds % HOUR === 0) return after(Math.floor(offset / DAY), "d");
  const minutes = Math.floor(offset / STEP) * (STEP / MINUTE);
  return minutes % (DAY / MINUTE) === 0 ? after(minutes / (DAY / MINUTE), "d") : after(minutes, "min");
}

/** The same for an ISO 8601 text, with its format: `<now 0000-00-00T00:00:00Z>`; a date alone counts in days from today. */
export function instantOfIso(text: string, startedAt: number): string {
  const seconds = Date.parse(text) / 1000;
  const form = text.replace(/\d/g, "0");
  if (!text.includes("T")) return `<${after(Math.floor((seconds - startedAt) / DAY) + 1, "d")} ${form}>`;
  const instant = instantOf(seconds, startedAt);
  return instant === undefined ? text : `<${instant} ${form}>`;
}

function after(count: number, unit: string): string {
  if (count === 0) return "now";
  return `now ${count < 0 ? "-" : "+"} ${Math.abs(count)} ${unit}`;
}
