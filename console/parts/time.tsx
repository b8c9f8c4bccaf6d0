import { useSyncExternalStore } from "react";
import { durationText } from "./amounts.ts";

export { durationText };

/** Seconds since the epoch as the wire has them, or an ISO text, or a Date. */
export type Moment = number | string | Date;

export const dateOf = (moment: Moment): Date =>
  moment instanceof Date ? moment : typeof moment === "number" ? new Date(moment * 1000) : new Date(moment);

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });

/** How long ago, kept up to date; the exact time when pointed at. */
export function Time({ at }: { readonly at: Moment }) {
  const ticked = useNow();
  const date = dateOf(at);
  // What happened since the last tick is not in the future.
  const now = Math.max(ticked, Math.min(date.getTime(), Date.now()));
  return (
    <time dateTime={date.toISOString()} title={exactly.format(date)} className="number">
      {relativeText(date.getTime(), now)}
    </time>
  );
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const minute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** When it was, briefly: to the second on the same day, else with the date. */
export function clockText(at: Moment): string {
  const date = dateOf(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock.format(date) : `${day.format(date)} ${minute.format(date)}`;
}

export const exactText = (at: Moment): string => exactly.format(dateOf(at));

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

export function relativeText(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < 5) return "now";
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

const TICK_MS = 5_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for the whole page: all texts change at once, and none while the page is hidden. */
export function useNow(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      timer ??= setInterval(tick, TICK_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    () => now,
  );
}

function tick(): void {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

/** A duration between two times that are known in whole seconds. */
export const wholeSecondsText = (seconds: number): string =>
  seconds < 1 ? "under 1 s" : durationText(seconds);
