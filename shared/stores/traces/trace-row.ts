import { dayOf } from "../../domain/traces/retention.ts";
import type { TraceFacts } from "../../domain/traces/trace-filter.ts";
import { durationMs } from "../../domain/traces/wire-time.ts";
import type { Listing } from "../listing/listing.ts";
import type { StoredTrace } from "./trace-item.ts";
import { traceIndexKeys } from "./trace-keys.ts";

/** What an index carries of a trace. */
export type TraceRow = Omit<StoredTrace, "total_spans" | "error_count" | "input" | "expires_at"> & {
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
