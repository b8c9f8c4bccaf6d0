import { createHash } from "node:crypto";
import type { Example } from "../../../shared/openapi/example.ts";
import type { Answered } from "./answer-fault.ts";
import { FRESH_SUFFIX } from "./stages/stage.ts";

/** A request with its answers, as they were. */
export type Recorded = Partial<Pick<Example, "path" | "query" | "body">> & {
  readonly answers: readonly Answered[];
};

/**
 * What the interface description shows of a request and its answers: the same each time. Ids are derived from their names, so
 * that one example goes on where another ends; times lie around one moment; durations, secrets and addresses are fixed.
 *
 * @param family  whose `id` stands for what
 */
export function exampleFrom({ path = {}, query = {}, body, answers }: Recorded, family: string): Example {
  const shown = { path, query, ...(body !== undefined && { body }), answers: ordered(answersIn(answers)) };
  const rename = renamingOf(shown, family);
  return join(steady(JSON.parse(rename(JSON.stringify(shown)))));
}

type Json = unknown;
type Frame = { readonly event?: string; readonly data: Json };

/** Frames are taken apart, so that what is in them is treated like any other answer. */
function answersIn(answers: readonly Answered[]): Record<string, Record<string, Json>> {
  const shown: Record<string, Record<string, Json>> = {};
  for (const { status, type, text } of answers) {
    const mediaType = type.split(";")[0] ?? "";
    shown[status] = {
      ...shown[status],
      ...(text !== "" && { [described(mediaType)]: contentOf(mediaType, text) }),
    };
  }
  return shown;
}

/** The agent-to-agent protocol's own name for JSON, which clients ask for. */
const described = (mediaType: string): string =>
  mediaType === "application/a2a+json" ? "application/json" : mediaType;

function contentOf(mediaType: string, text: string): Json {
  if (mediaType === STREAM) return framesIn(text);
  if (/[/+]json$/.test(mediaType)) return JSON.parse(text);
  const isText = /svg|ndjson|^text\//.test(mediaType);
  if (!isText) return "the bytes of the file";
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

const STREAM = "text/event-stream";
/** Characters that are shown of a page or a file. */
const MAX_TEXT = 300;

const framesIn = (text: string): Frame[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":") && frame !== "data: [DONE]")
    .map((frame) => {
      const event = /^event: (.*)$/m.exec(frame)?.[1];
      const data = begun(/^data: (.*)$/m.exec(frame)?.[1] ?? "null");
      return { ...(event !== undefined && { event }), data: JSON.parse(data) };
    });

/** Whether a task has begun when its first frame is written is a matter of luck. */
const begun = (data: string): string =>
  data.includes('"task":{') ? data.replace("TASK_STATE_WORKING", "TASK_STATE_SUBMITTED") : data;

/** Writes streams as text again. */
function join(shown: Json): Example {
  const example = shown as Example; // made by `exampleFrom`, member by member
  const written = Object.entries(example.answers).map(([status, contents]) => [
    status,
    Object.fromEntries(
      Object.entries(contents).map(([type, value]) => [
        type,
        type === STREAM ? textOf(value as Frame[]) : value,
      ]),
    ),
  ]);
  return { ...example, answers: Object.fromEntries(written) };
}

const textOf = (frames: readonly Frame[]): string =>
  frames
    .map(
      ({ event, data }) =>
        `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
    )
    .join("");

/** Stored maps have no order of their own. What says which thing it is comes first. */
function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(names.map((name) => [name, ordered(value[name as keyof typeof value])]));
}

const rank = (name: string): number =>
  name === "event" || name === "type"
    ? 0
    : name === "id"
      ? 1
      : name.endsWith("_id") || name === "name"
        ? 2
        : 3;

// Ids.

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** The ids of runs, traces, spans and feedback; digests are longer, and the same each time. */
const RANDOM = new RegExp(`${UUID}|(?<=\\bfb_)[0-9a-f]{20}\\b|\\b(?:[0-9a-f]{32}|[0-9a-f]{16})\\b`, "g");

/** Under which name the `id` of a family's records stands in paths and bodies. */
const idOf: Readonly<Record<string, string>> = {
  approvals: "approval_id",
  evals: "eval_run_id",
  knowledge: "content_id",
  queue: "run_id",
  schedules: "schedule_id",
  "service-accounts": "account_id",
  deliveries: "endpoint_id",
  a2a: "run_id",
};
/** Names of one thing. */
const same: Readonly<Record<string, string>> = {
  ...{ job_id: "run_id", task_id: "run_id", taskId: "run_id", runId: "run_id" },
  ...{ contextId: "session_id", threadId: "session_id", agent_session_id: "session_id" },
};

/** Replaces what is random in a text: each id by one that is derived from the name under which it is first found. */
function renamingOf(shown: Json, family: string): (text: string) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const visit = (value: Json, key: string): void => {
    if (typeof value === "string") {
      for (const [id] of value.matchAll(RANDOM)) {
        if (names.has(id)) continue;
        const named = key === "id" ? (idOf[family] ?? key) : key;
        const role = same[named] ?? named;
        const nth = counts.get(role) ?? 0;
        counts.set(role, nth + 1);
        names.set(id, madeId(`${role} ${nth}`, id));
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) visit(member, Array.isArray(value) ? key : name);
    }
  };
  visit(shown, "");
  return (text) =>
    text
      .replaceAll(RANDOM, (id) => names.get(id) ?? id)
      .replaceAll(FRESH_SUFFIX, "")
      .replaceAll(
        /\((\w+=[^()]*)\) completed in [\d.]+s/g,
        (_, args: string) => `(${sortedList(args)}) completed in 0.002s`,
      )
      .replaceAll(/\b00\d{13}\b/g, `00${NOW * 1000}`)
      .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, "https://agents.example")
      .replaceAll(/(plat_pat_|whsec_|chatcmpl-|resp_|msg_|apo_|apr_|apc_)[0-9A-Za-z+/=_-]+/g, "$1…")
      // What is said where no name server answers.
      .replaceAll(/([\w.-]+\.example) could not be reached \(\w+\)/g, "there is no host $1")
      // What a link ends with is sealed with a random number.
      .replaceAll(/(\/f\/|"token":")[\w-]{100,}/g, "$1…")
      .replaceAll(/(X-Amz-[A-Za-z-]+=)[^&"]+/g, "$1…");
}

const sortedList = (text: string): string => text.split(", ").sort().join(", ");

/** An id of the same form. */
function madeId(name: string, like: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  if (!like.includes("-")) return hex.slice(0, like.length);
  const version = like[14] ?? "7";
  const head = version === "7" ? "019cb82a-7c20" : `${hex.slice(0, 8)}-${hex.slice(8, 12)}`;
  return `${head}-${version}${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

// Times.

/** What is now in examples: 4 March 2026, 9:15 in Greenwich, in seconds. */
const NOW = 1_772_615_700;
/** Times are given to ten minutes: what happens while an example is recorded happens at once. */
const STEP = 600;
const START = Date.now() / 1000;

const shifted = (seconds: number): number => NOW + Math.round((seconds - Date.now() / 1000) / STEP) * STEP;
const DAY = 86_400;
/** Whether a number is the time of a recording, or one that it brings with it. The times in rows' examples are long ago. */
const isTime = (seconds: number): boolean => seconds > START - 2 * DAY && seconds < START + 400 * DAY;

const ISO = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?/g;
const DATE = /^\d{4}-\d\d-\d\d$/;
const DAY_ID = /^\d{4}-\d\d-\d\d_/;

const TOOK = /duration|latency|elapsed|(^|_)time(_|$)|time_to|_age_|seconds$|^ms$/;

/** Fixes what is measured or depends on the time. */
function steady(value: Json, key = ""): Json {
  if (Array.isArray(value)) return short(value.map((one) => steady(one, key)));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, memberOf(name, one)]));
  }
  if (typeof value === "number") return steadyNumber(value, key);
  if (typeof value === "string") return steadyText(value, key);
  return value;
}

/** Public keys, signatures and the hashes of the audit are made at each start. */
const SIGNED = new Set(["x", "y", "kid", "signature", "protected", "head"]);
const memberOf = (name: string, one: Json): Json => {
  if (SIGNED.has(name) && typeof one === "string") return "…";
  // Null until the day has its first seal, which is made beside what is recorded.
  if (name === "head" && one === null) return "…";
  // The description within its own example.
  if (name === "paths" || (name === "components" && !Array.isArray(one) && "schemas" in Object(one)))
    return {};
  return steady(one, name);
};

/** Items that are shown of a long list. */
const MAX_ITEMS = 3;
const short = (items: readonly Json[]): Json => (items.length > 6 ? items.slice(0, MAX_ITEMS) : items);

/** Counts over all that the platform of the tests did, which is not always at the same point. */
const COUNTED = new Set([
  "records_read",
  "completed",
  "failed",
  "cancelled",
  "paused",
  "queued",
  "running",
  "waiting",
  "seals",
  "records",
]);

function steadyNumber(value: number, key: string): number {
  if (key === "next_run_at") return NOW + 5 * DAY;
  if (isTime(value)) return shifted(value);
  if (COUNTED.has(key)) return 12;
  if (isTime(value / 1000)) return shifted(value / 1000) * 1000;
  // Also where it happens to be a whole number.
  if (key.endsWith("_ms")) return 84;
  return key === "ms" || (!Number.isInteger(value) && TOOK.test(key)) ? 0.8 : value;
}

/** Form fields, and arguments of tools, carry JSON as text. */
function steadyJson(text: string): string {
  try {
    return JSON.stringify(steady(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** Today, also where it is over by now, is one day; those of the month before it stand as far from that. */
function steadyDay(day: string): string {
  const seconds = Date.parse(day) / 1000;
  if (isTime(seconds)) return "2026-03-04";
  const ago = Math.floor(START / DAY) * DAY - seconds;
  if (ago < 0 || ago > 31 * DAY) return day;
  return new Date(Date.parse("2026-03-04") - ago * 1000).toISOString().slice(0, 10);
}

function steadyText(text: string, key: string): string {
  if (DATE.test(text)) return steadyDay(text);
  // The id of a day's figures begins with the day.
  if (DAY_ID.test(text)) return `${steadyDay(text.slice(0, 10))}${text.slice(10)}`;
  if (text.startsWith("[{") || text.startsWith('{"')) return steadyJson(text);
  if (/^\d+(\.\d+)?(ms|s)$/.test(text) && TOOK.test(key)) return "640ms";
  return text.replaceAll(ISO, (iso) => {
    const seconds = Date.parse(iso) / 1000;
    if (!isTime(seconds)) return iso;
    if (iso.endsWith("T00:00:00Z")) return "2026-03-04T00:00:00Z"; // a day
    const made = new Date(shifted(seconds) * 1000).toISOString();
    return iso.includes(".") ? made : made.replace(".000", "");
  });
}
