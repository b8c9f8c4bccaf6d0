import type { SessionStats } from "../../schemas/traces/trace.ts";
import { wireInstant } from "./wire-time.ts";

/** What is told of a trace in the sums of its session. */
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
 * @source contract, metrics-evals-traces C.4
 */
export function sessionStats(traces: readonly Counted[]): SessionStats[] {
  const sessions = Map.groupBy(
    traces.filter(({ session_id }) => session_id !== ""),
    ({ session_id }) => session_id,
  );
  return [...sessions.values()]
    .map((its) => ({ its, last: edge(its, Math.max) }))
    .sort((a, b) => b.last - a.last)
    .map(({ its, last }) => ({
      session_id: its[0]?.session_id ?? "",
      ...largest(its, "user_id"),
      ...largest(its, "agent_id"),
      ...largest(its, "team_id"),
      ...largest(its, "workflow_id"),
      total_traces: its.length,
      first_trace_at: wireInstant(edge(its, Math.min)),
      last_trace_at: wireInstant(last),
    }));
}

const edge = (its: readonly Counted[], pick: (a: number, b: number) => number): number =>
  its.map(({ created_ms }) => created_ms).reduce((a, b) => pick(a, b));

type IdField = "user_id" | "agent_id" | "team_id" | "workflow_id";

/** The largest value where they differ; left out where there is none. */
function largest(its: readonly Counted[], field: IdField): Partial<Record<IdField, string>> {
  const value = its
    .flatMap((one) => one[field] ?? [])
    .sort()
    .at(-1);
  return value === undefined ? {} : { [field]: value };
}
