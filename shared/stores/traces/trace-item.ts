import { createHash } from "node:crypto";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { dayOf } from "../../domain/traces/retention.ts";
import type { TraceFacts } from "../../domain/traces/trace-filter.ts";
import { durationMs } from "../../domain/traces/wire-time.ts";
import { Span, SpanStatus } from "../../schemas/traces/span.ts";
import {
  allPartition,
  failedPartition,
  openedKey,
  ownerPartition,
  type Partition,
  placedAmong,
  shardedPartition,
  shardedPartitions,
} from "../index-keys.ts";
import type { Listing } from "../listing/listing.ts";
import { Spilled } from "../objects/spill.ts";

/** Versions of the stored shapes; raised with every change of them. */
export const TRACE_SHAPE = 2;
export const SPANS_SHAPE = 1;

/** A trace as it is stored: what lists show of it. Its spans are items of their own. */
export const StoredTrace = v.object({
  trace_id: v.string(),
  name: v.string(),
  status: SpanStatus,
  /** All in epoch milliseconds; `created_ms` is when it was first written. */
  start_ms: v.number(),
  end_ms: v.number(),
  created_ms: v.number(),
  total_spans: v.number(),
  error_count: v.number(),
  /** The beginning of the root's input. */
  input: v.optional(v.string()),
  run_id: v.string(),
  session_id: v.string(),
  user_id: v.nullable(v.string()),
  agent_id: v.optional(v.string()),
  team_id: v.optional(v.string()),
  workflow_id: v.optional(v.string()),
  /** See `placedAmong`. */
  index_shards: v.optional(v.number()),
  /** Epoch seconds. */
  expires_at: v.number(),
});
export type StoredTrace = v.InferOutput<typeof StoredTrace>;

/** Spans that were written together: packed, or an object if they are many. */
export const StoredSpans = v.object({ spans: Spilled, expires_at: v.number() });
export type StoredSpans = v.InferOutput<typeof StoredSpans>;

export const Spans = v.array(Span);

export function traceItem(trace: StoredTrace): Item {
  return { ...traceKey(trace), ...trace, ...traceIndexKeys(trace), shape: TRACE_SHAPE };
}

const TRACE_ID_CHARS = 32;
const SPAN_ID_CHARS = 16;

/** The trace of a run: the same for every slice and every attempt of it. */
export const traceIdOf = (runId: string): string => digest(`trace:${runId}`, TRACE_ID_CHARS);

/** @param path  keys of the spans from the root down to it */
export const spanIdOf = (traceId: string, path: string): string => digest(`${traceId}${path}`, SPAN_ID_CHARS);

const digest = (text: string, chars: number): string =>
  createHash("sha256").update(text).digest("hex").slice(0, chars);

/** The parts of a trace's keys. */
type Placed = {
  readonly trace_id: string;
  /** Null for a trace without an owner. */
  readonly user_id: string | null;
  readonly session_id: string;
  /** Epoch milliseconds. */
  readonly start_ms: number;
  readonly status: SpanStatus;
  readonly index_shards?: number | undefined;
};

export const tracePartition = (traceId: string): string => `trace#${traceId}`;

/** Prefix of the sort keys of an owner's items. */
export const ownersPrefix = (owner: string | null): string => `${ownerPartition(owner)}#`;

export const traceKey = ({ trace_id, user_id }: Pick<Placed, "trace_id" | "user_id">) => ({
  pk: tracePartition(trace_id),
  sk: `${ownersPrefix(user_id)}trace`,
});

/** When spans were written: later ones of an id replace earlier ones. */
export type WrittenAt = {
  readonly attempt: number;
  /** Epoch milliseconds. */
  readonly at_ms: number;
  /** Number of the write, to order those within one millisecond. */
  readonly write: number;
};

export const spansKey = (
  { trace_id, user_id }: Pick<Placed, "trace_id" | "user_id">,
  { attempt, at_ms, write }: WrittenAt,
) => ({
  pk: tracePartition(trace_id),
  sk: `${ownersPrefix(user_id)}spans#${digits(attempt, 6)}#${digits(at_ms, 15)}#${digits(write, 6)}`,
});

const digits = (n: number, count: number): string => String(n).padStart(count, "0");

export type ComponentField = "agent_id" | "team_id" | "workflow_id";

type ComponentPartition = `component#${string}`;
const componentPartition = (field: ComponentField, id: string): ComponentPartition =>
  `component#${field}#${encodeURIComponent(id)}`;

/** Where the traces of a component are: one partition, and those of traces that were placed when there were more than by default. */
export const componentPartitions = (field: ComponentField, id: string, shards: number): Partition[] => {
  const one = componentPartition(field, id);
  return placedAmong(shards).index_shards === undefined ? [one] : [one, ...shardedPartitions(one, shards)];
};

export const sessionPartition = (owner: string | null, sessionId: string): Partition =>
  `session#${encodeURIComponent(owner ?? "")}#${encodeURIComponent(sessionId)}`;

/** Sorts by start: the second, then the milliseconds. @param startMs epoch milliseconds */
export function startKey(startMs: number, traceId: string): string {
  const seconds = Math.floor(startMs / 1000);
  return openedKey(seconds, `${digits(Math.floor(startMs - seconds * 1000), 3)}#${traceId}`);
}

/** The one component of a trace. */
type OfComponent = Readonly<Partial<Record<ComponentField, string | undefined>>>;

/** The attributes that place a trace in the indexes; only failed ones are written to by_failure. */
const traceIndexKeys = (trace: Placed & OfComponent) => ({
  owner_key: ownerPartition(trace.user_id),
  all_key: allPartition(trace.trace_id, trace.index_shards),
  component_key: partitionOfComponent(trace),
  session_key: sessionPartition(trace.user_id, trace.session_id),
  ...(trace.status === "ERROR" && { failed_key: failedPartition(trace.trace_id) }),
  opened: startKey(trace.start_ms, trace.trace_id),
});

function partitionOfComponent({ trace_id, index_shards, ...of }: Placed & OfComponent): Partition {
  const one = plainPartitionOf(of);
  return index_shards === undefined ? one : shardedPartition(one, trace_id, index_shards);
}

function plainPartitionOf({ agent_id, team_id, workflow_id }: OfComponent): ComponentPartition {
  if (agent_id !== undefined) return componentPartition("agent_id", agent_id);
  if (team_id !== undefined) return componentPartition("team_id", team_id);
  return componentPartition("workflow_id", workflow_id ?? "");
}

/** What an index carries of a trace. */
export type TraceRow = Omit<
  StoredTrace,
  "total_spans" | "error_count" | "input" | "index_shards" | "expires_at"
> & {
  readonly pk: string;
  readonly sk: string;
  readonly opened: string;
};

/** A trace is written when its execution ends, which is within a day. */
const SETTLING_SECONDS = 90_000;

/** @param retentionDays  days that lists still show */
export const traceListing = (retentionDays: number): Listing<StoredTrace, TraceRow> => ({
  table: "traces",
  plural: "traces",
  sorted_by: "start_time",
  placeOf: traceIndexKeys,
  otherPartitions(trace) {
    const { component_key, session_key } = traceIndexKeys(trace);
    return [component_key, session_key];
  },
  countKey: ({ start_ms }) => String(dayOf(start_ms)),
  settling_seconds: SETTLING_SECONDS,
  isPast: (day, now) => Number(day) < dayOf(now * 1000) - retentionDays,
});

/** The fields of a trace that filters are evaluated on. */
export function factsOf(row: TraceRow): TraceFacts {
  const { name, status, trace_id, run_id, session_id, user_id, agent_id, team_id, workflow_id } = row;
  return {
    name,
    status,
    trace_id,
    run_id,
    session_id,
    duration_ms: durationMs(row.start_ms, row.end_ms),
    start_time: row.start_ms,
    end_time: row.end_ms,
    created_at: row.created_ms,
    ...(user_id !== null && { user_id }),
    ...(agent_id !== undefined && { agent_id }),
    ...(team_id !== undefined && { team_id }),
    ...(workflow_id !== undefined && { workflow_id }),
  };
}
