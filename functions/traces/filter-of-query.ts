import { readInstant } from "../../shared/domain/traces/read-filter.ts";
import type { TraceField } from "../../shared/domain/traces/trace-fields.ts";
import type { TraceFilter } from "../../shared/domain/traces/trace-filter.ts";

const equalities = [
  "run_id",
  "session_id",
  "user_id",
  "agent_id",
  "team_id",
  "workflow_id",
  "status",
] as const;

type Query = { readonly [K in (typeof equalities)[number] | "start_time" | "end_time"]?: string | undefined };

/**
 * The formula that the parameters of a list amount to; undefined where none is given.
 *
 * @param owner   set for a caller who is limited to its own: then a user_id means nothing
 * @param bounds  which instants start_time and end_time are compared with
 * @throws ServiceError BAD_REQUEST for a time that is none
 */
export function filterOfQuery(
  query: Query,
  owner: string | undefined,
  bounds: { readonly from: TraceField; readonly to: TraceField },
): TraceFilter | undefined {
  const allowed = owner === undefined ? query : { ...query, user_id: undefined };
  const conditions: TraceFilter[] = equalities.flatMap((key) => {
    const value = allowed[key];
    return value === undefined ? [] : [{ op: "EQ" as const, key, value }];
  });
  const { start_time, end_time } = query;
  if (start_time !== undefined) {
    conditions.push({ op: "GTE", key: bounds.from, value: readInstant(start_time, "start_time") });
  }
  if (end_time !== undefined) {
    conditions.push({ op: "LTE", key: bounds.to, value: readInstant(end_time, "end_time") });
  }
  return conditions.length === 0 ? undefined : { op: "AND", conditions };
}
