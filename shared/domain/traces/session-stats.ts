import type { SessionStats } from "../../schemas/traces/trace.ts";
import { wireInstant } from "./wire-time.ts";

/** What counts of a trace in the sums of its session. */
type Counted = {
  readonly session_id: string;
  readonly created_ms: number;
  readonly user_id: string | null;
  readonly agent_id?: string | undefined;
  readonly team_id?: string | undefined;
  readonly workflow_id?: string | undefined;
};

/**
 * Traces by their sessions, the one with the latest trace first.
 *
 * @source docs/interface/traces.md 1.7
 */
export function sessionStats(traces: readonly Counted[]): SessionStats[] {
  const sessions = Map.groupBy(
    traces.filter(({ session_id }) => session_id !== ""),
    ({ session_id }) => session_id,
  );
  return [...sessions.values()]
    .map((members) => ({ members, last: edge(members, Math.max) }))
    .sort((a, b) => b.last - a.last)
    .map(({ members, last }) => ({
      session_id: members[0]?.session_id ?? "",
      ...largest(members, "user_id"),
      ...largest(members, "agent_id"),
      ...largest(members, "team_id"),
      ...largest(members, "workflow_id"),
      total_traces: members.length,
      first_trace_at: wireInstant(edge(members, Math.min)),
      last_trace_at: wireInstant(last),
    }));
}

const edge = (traces: readonly Counted[], pick: (a: number, b: number) => number): number =>
  traces.map(({ created_ms }) => created_ms).reduce((a, b) => pick(a, b));

type IdField = "user_id" | "agent_id" | "team_id" | "workflow_id";

/** The largest value if they differ; left out if there is none. */
function largest(traces: readonly Counted[], field: IdField): Partial<Record<IdField, string>> {
  const value = traces
    .flatMap((one) => one[field] ?? [])
    .sort()
    .at(-1);
  return value === undefined ? {} : { [field]: value };
}
