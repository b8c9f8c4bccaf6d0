import type { SpanStatus } from "../../schemas/traces/span.ts";
import {
  allPartition,
  failedPartition,
  openedKey,
  ownerPartition,
  type Partition,
} from "../listing/index-keys.ts";

/** The parts of a trace's keys. */
type Placed = {
  readonly trace_id: string;
  /** Null for a trace without an owner. */
  readonly user_id: string | null;
  readonly session_id: string;
  /** Epoch milliseconds. */
  readonly start_ms: number;
  readonly status: SpanStatus;
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

export const componentPartition = (field: ComponentField, id: string): Partition =>
  `component#${field}#${encodeURIComponent(id)}`;

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
export const traceIndexKeys = (trace: Placed & OfComponent) => ({
  owner_key: ownerPartition(trace.user_id),
  all_key: allPartition(trace.trace_id),
  component_key: partitionOfComponent(trace),
  session_key: sessionPartition(trace.user_id, trace.session_id),
  ...(trace.status === "ERROR" && { failed_key: failedPartition(trace.trace_id) }),
  opened: startKey(trace.start_ms, trace.trace_id),
});

function partitionOfComponent({ agent_id, team_id, workflow_id }: OfComponent): Partition {
  if (agent_id !== undefined) return componentPartition("agent_id", agent_id);
  if (team_id !== undefined) return componentPartition("team_id", team_id);
  return componentPartition("workflow_id", workflow_id ?? "");
}
