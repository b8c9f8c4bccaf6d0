import * as v from "valibot";
import type { LogEvent } from "../../shared/runtime/search-logs.ts";
import type { RunLogLine } from "../../shared/schemas/runs/run-log.ts";

/** A line, and where it stands among all lines of its run. */
export type PlacedLine = { readonly place: string; readonly line: RunLogLine };

/** What every line has; see `createLog`. */
const Written = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    level: v.string(),
    message: v.string(),
    timestamp: v.optional(v.unknown()),
    service: v.optional(v.unknown()),
    sampling_rate: v.optional(v.unknown()),
    xray_trace_id: v.optional(v.unknown()),
  }),
);

/** Digits of a time in milliseconds, so that times sort as text. */
const MS_DIGITS = 15;

/** An event of a function's log as a line; nothing for what is none of ours. */
export function linesOf(name: string, { id, at_ms, text }: LogEvent): PlacedLine[] {
  const written = v.safeParse(Written, text);
  if (!written.success) return [];
  const {
    level,
    message,
    timestamp: _t,
    service: _s,
    sampling_rate: _r,
    xray_trace_id: _x,
    ...fields
  } = written.output;
  return [
    {
      place: `${String(at_ms).padStart(MS_DIGITS, "0")}#${id.slice(-100)}`,
      line: { time: new Date(at_ms).toISOString(), level, function: name, message, fields },
    },
  ];
}
