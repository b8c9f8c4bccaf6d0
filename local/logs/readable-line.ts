import { isObject, parsedJson } from "../../shared/schemas/values/json-values.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Metrics by which a run ends or pauses, and how that is said. */
const endings = {
  RunsCompleted: "completed",
  RunsPaused: "paused",
  RunsCancelled: "cancelled",
  RunsFailed: "failed",
} as const;

/** Of every line, and said otherwise, or of interest to programs alone. */
const unsaid = new Set([
  "level",
  "message",
  "timestamp",
  "service",
  "sampling_rate",
  "xray_trace_id",
  "request_id",
  "run_id",
  "job_id",
  "user_id",
  "error",
  "error_type",
  "error_text",
  "at",
  "thrown",
  "tool_name",
  "cause",
  "attempt",
]);

/**
 * A line that a function wrote, for a person at a terminal: how each run ended, and what went wrong. Other lines are for
 * programs, and are in the file.
 *
 * @returns undefined for a line that is not shown
 */
export function readableLine(line: string, label: string): string | undefined {
  const fields = line.startsWith("{") ? parsedJson(line) : undefined;
  if (!isObject(fields)) return `[${label}] ${line}`;
  if ("_aws" in fields) return endingLine(fields);
  return /^(WARN|ERROR|CRITICAL)$/.test(textOf(fields.level)) ? problemLine(fields) : undefined;
}

/** As `readableLine`, with the lines that are not shown while the platform runs. */
export function anyReadableLine(line: string, label: string): string | undefined {
  const shown = readableLine(line, label);
  const fields = shown === undefined ? parsedJson(line) : undefined;
  return isObject(fields) && !("_aws" in fields) ? problemLine(fields) : shown;
}

/** `12:01:03  completed  agents/desk  ada  0.4 s  31 tokens  $0.0012  run 01a2…` */
function endingLine(fields: Fields): string | undefined {
  const ending = Object.entries(endings).find(([metric]) => metric in fields)?.[1];
  if (ending === undefined || fields.component === undefined) return undefined;
  const { _aws, component, user_id, run_id, RunSeconds, InputTokens, OutputTokens, Cost } = fields;
  const tokens = Number(InputTokens ?? 0) + Number(OutputTokens ?? 0);
  const at = isObject(_aws) ? Number(_aws.Timestamp) : Number.NaN;
  return [
    clockTime(at),
    ending.padEnd(9),
    textOf(component),
    textOf(user_id) || "no user",
    ...(typeof RunSeconds === "number" ? [`${seconds(RunSeconds)} s`] : []),
    ...(tokens > 0 ? [`${tokens} tokens`] : []),
    ...(typeof Cost === "number" ? [`$${Cost.toPrecision(2)}`] : []),
    `run ${textOf(run_id)}`,
  ].join("  ");
}

/** `12:01:03  a tool failed: roll_dice: TypeError: kaputt at tools/roll-dice.ts:10:53  run 01a2…` */
function problemLine(fields: Fields): string {
  const { error, tool_name, cause, run_id, job_id, timestamp, message } = fields;
  const who = [tool_name, cause].filter((one) => typeof one === "string");
  const id = textOf(run_id) || textOf(job_id);
  const others = Object.entries(fields).flatMap(([name, value]) =>
    unsaid.has(name) ? [] : [`${name} ${typeof value === "string" ? value : JSON.stringify(value)}`],
  );
  const what = [textOf(message), ...who, errorText(fields), ...(typeof error === "string" ? [error] : [])]
    .filter((part) => part !== "")
    .join(": ");
  return [
    clockTime(Date.parse(textOf(timestamp))),
    what,
    ...(others.length > 0 ? [others.join(", ")] : []),
    ...(id === "" ? [] : [`run ${id}`]),
  ].join("  ");
}

/** An error as a line of the log has it: with its name, its message where that is logged, and the innermost place. */
function errorText(fields: Fields): string {
  const described = [fields.error, fields.thrown].find(isObject);
  const name = described ? described.name : fields.error_type;
  const message = described ? described.message : fields.error_text;
  const places = described ? described.at : fields.at;
  const [place] = Array.isArray(places) ? places : [];
  if (typeof name !== "string") return "";
  return `${name}${typeof message === "string" ? `: ${message}` : ""}${place === undefined ? "" : ` at ${place}`}`;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const seconds = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const clockTime = (ms: number): string =>
  Number.isNaN(ms) ? "--:--:--" : new Date(ms).toLocaleTimeString("en-GB");
