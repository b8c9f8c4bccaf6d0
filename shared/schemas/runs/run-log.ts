import * as v from "valibot";
import { meaning } from "../values/described-as.ts";

/**
 * One line of the platform's own log.
 *
 * @decided  ours; the wire has no log
 */
export const RunLogLine = v.object({
  /** ISO 8601 in UTC, milliseconds. */
  time: v.string(),
  level: meaning(v.string(), "DEBUG, INFO, WARN, ERROR or CRITICAL"),
  function: meaning(v.string(), "The function that wrote it, such as worker"),
  message: v.string(),
  fields: meaning(v.record(v.string(), v.unknown()), "What else the line has: ids, figures, causes"),
});
export type RunLogLine = v.InferOutput<typeof RunLogLine>;

export const RunLog = v.object({
  data: v.array(RunLogLine),
  /** `next_cursor` gives the next page; null when there is none. */
  meta: v.object({ next_cursor: v.nullable(v.string()), limit: v.number() }),
});
export type RunLog = v.InferOutput<typeof RunLog>;
