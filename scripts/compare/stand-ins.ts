import { createHash } from "node:crypto";
import { instantOf, instantOfIso } from "./instants.ts";

/*
 * Values that differ between any two executions, and what is recorded instead. This is the whole list, together with
 * `merge-events.ts` and `stored-objects.ts`:
 *
 *   ids        UUIDs, ids of traces and spans, short ids and values that contain them: `<id 1>`, `<id 2>`, … in the
 *              order of their first use, so that the record shows where the same id is used
 *   times      epoch seconds, epoch milliseconds and ISO 8601 texts: `<now>`, `<now + 30 d>`, see `instants.ts`
 *   secrets    tokens, secrets and signatures of addresses: they follow from keys that each platform makes for itself
 *   measures   durations and sizes in texts, and members with the names in `standIns`
 *   counts     of durations, in place of a histogram of them
 *   seals      of the audit, which the sweeper sets each minute: members with the names in `sealed`
 *   windows    of what the audit records once in ten minutes, in its id and its key
 *   shards     the number at the end of a partition key: it follows from a random id
 *   states     whether a task had already started when its response was sent
 *   order      members of an object are sorted by name
 *   length     long texts are cut, with a digest of the whole
 */
const standIns: ReadonlyMap<string, string> = new Map([
  ["apigw-requestid", "<request>"],
  ["duration", "<duration>"],
  ["duration_ms", "<duration>"],
  ["memory_mib", "<size>"],
  ["search_time_ms", "<duration>"],
  ["seconds", "<duration>"],
  ["time", "<duration>"],
  ["time_to_first_token", "<duration>"],
  ["gen_ai.response.time_to_first_chunk", "<duration>"],
  ["token_hash", "<digest>"],
  // Of arguments that contain ids.
  ["arguments_digest", "<digest>"],
  // A digest of a text that contains the address of the platform.
  ["etag", "<etag>"],
]);

/** Null until the next round of the sweeper, so replaced then too. Records are either linked by a seal or waiting for one. */
const sealed: ReadonlySet<string> = new Set(["seal", "seals", "head", "records", "waiting"]);

const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/g;
const ids = [
  UUID,
  // A trace, a span.
  /\b(?:[0-9a-f]{32}|[0-9a-f]{16})\b/,
  // An entry of a learning, a decision, the plan of a schedule.
  /(?<=\bid\W{1,5}|\bdec_)[0-9a-f]{8}\b/,
  // An idempotency key, as it is stored.
  /(?<=^key#)[\w-]{43}$/,
];
const ID = new RegExp(ids.map(({ source }) => source).join("|"), "g");
const SHORT_ID = /^[0-9a-f]{8}$/;
const SHORT_ID_NAME = /^(?:plan_)?id$/;

/** Parts of texts. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://platform"],
  [/\bplat_pat_\w+/g, "<token>"],
  [/\bwhsec_[\w+/]+=*/g, "<secret>"],
  [/(?<=\bX-Amz-(?:Date|Signature)=)\w+/g, "<signed>"],
  [/(?<=\bX-Amz-Credential=\w+%2F)\d{8}/g, "<day>"],
  // Of what the audit records once in ten minutes.
  [/\b\d{13,}(?=#[0-9a-f]{32}-\d{7}\b)/g, "<window>"],
  [/(?<=\b[0-9a-f]{32}-)\d{7}\b/g, "<window>"],
  [/(?<=^token#)[0-9a-f]{64}$/g, "<digest>"],
  [/ in \d+\.\d{4}s\b/g, " in <duration>"],
  [/\b[A-Z][a-z]+day, \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d:\d\d \w+/g, "<now, in words>"],
  [/\bTASK_STATE_(?:SUBMITTED|WORKING)\b|^(?:submitted|working)$/g, "<submitted or working>"],
];

const ISO = /\b20\d\d-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?/g;
/** Ten or thirteen digits. In sort keys they are padded, and milliseconds may follow the seconds. */
const EPOCH = /(?<![\w.])(0*)([12]\d{9})(\d{3})?(#\d{3}(?=#))?(?:\.\d+)?(?!\w)/g;
/** For keys that sort the newest first: the largest number of twelve digits minus the epoch seconds. */
const FALLING_EPOCH = /\b99[789]\d{9}(?=#)/g;
const LARGEST = 999_999_999_999;
const SHARDED_NAME = /^pk$|_key$|_shard$/;
const SHARD = /#\d{1,2}$/;
const LONG_CHARS = 4_000;
const SHOWN_CHARS = 200;

export type StandIns = {
  /** The value with a stand-in for everything that changes from one execution to the next. */
  readonly plain: (value: unknown) => unknown;
  /** The same, for sorting: all new ids are equal. */
  readonly masked: (value: unknown) => unknown;
  /** Whether an id was replaced before. */
  readonly knows: (id: string) => boolean;
};

/** @param startedAt  epoch seconds; times are recorded relative to it */
export function createStandIns(startedAt: number): StandIns {
  const names = new Map<string, string>();
  const named = (id: string): string => {
    const name = names.get(id) ?? `<id ${names.size + 1}>`;
    names.set(id, name);
    return name;
  };
  return {
    plain: (value) => replace(value, { startedAt, nameOf: named }),
    masked: (value) => replace(value, { startedAt, nameOf: (id) => names.get(id) ?? "<id>" }),
    knows: (id) => names.has(id),
  };
}

export const idsIn = (text: string): readonly string[] => text.match(ID) ?? [];
/** Only ids that were made for one thing. Others may be digests, which everything with the same content shares. */
export const uuidsIn = (text: string): readonly string[] => text.match(UUID) ?? [];

type Replacing = { readonly startedAt: number; readonly nameOf: (id: string) => string };

/** @param key  name of the value in its object */
function replace(value: unknown, options: Replacing, key = ""): unknown {
  if (Array.isArray(value)) return value.map((entry) => replace(entry, options, key));
  if (sealed.has(key) && (value === null || typeof value !== "object")) return "<seal>";
  if (typeof value === "object" && value !== null) {
    return key === "took" ? { "<duration>": countOf(value) } : replaceMembers(value, options);
  }
  const named = value === null ? undefined : standIns.get(key);
  if (named !== undefined) return named;
  if (typeof value === "string") return cut(replaceInText(value, options, key));
  return typeof value === "number" ? replaceNumber(value, options) : value;
}

const replaceMembers = (value: object, options: Replacing): unknown =>
  Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, entry]) => [replaceInText(name, options), replace(entry, options, name)]),
  );

/** How many values a histogram has, in whichever of its buckets. */
const countOf = (histogram: object): number =>
  Object.values(histogram).reduce((sum: number, count: unknown) => sum + Number(count), 0);

function replaceNumber(value: number, { startedAt }: Replacing): unknown {
  const isMs = value > 1e12;
  const instant = instantOf(isMs ? Math.floor(value / 1000) : value, startedAt);
  return instant === undefined ? value : `<${instant}${isMs ? " ms" : ""}>`;
}

function replaceInText(text: string, { startedAt, nameOf }: Replacing, key = ""): string {
  if (SHORT_ID_NAME.test(key) && SHORT_ID.test(text)) return nameOf(text);
  const unsharded = SHARDED_NAME.test(key) ? text.replace(SHARD, "#<shard>") : text;
  return texts
    .reduce((replaced, [pattern, standIn]) => replaced.replace(pattern, standIn), unsharded)
    .replace(ID, nameOf)
    .replace(ISO, (iso) => instantOfIso(iso, startedAt))
    .replace(FALLING_EPOCH, (digits) => {
      const instant = instantOf(LARGEST - Number(digits), startedAt);
      return instant === undefined ? digits : `<falling ${instant}>`;
    })
    .replace(EPOCH, (digits, padding: string, seconds: string, ms?: string, msPart?: string) => {
      const instant = instantOf(Number(seconds), startedAt);
      if (instant === undefined) return digits;
      return `${padding}<${instant}${ms === undefined ? "" : " ms"}>${msPart === undefined ? "" : "#<ms>"}`;
    });
}

function cut(text: string): string {
  if (text.length <= LONG_CHARS) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${text.slice(0, SHOWN_CHARS)}… <${text.length} characters, ${digest}>`;
}
