import type { TraceFilter } from "./trace-filter.ts";

const places = ["trace_id", "run_id", "session_id", "user_id", "agent_id", "team_id", "workflow_id"] as const;
type PlaceField = (typeof places)[number];

/** What must hold for every trace that a filter matches, as far as an index can use it. */
export type IndexBounds = {
  readonly equal: Readonly<Partial<Record<PlaceField, string>>>;
  /** Earliest and latest start; epoch milliseconds. */
  readonly from?: number;
  readonly to?: number;
  /** Whether the filter is no more than one of `equal`, so that all index rows of its partition match. */
  readonly isWhole: boolean;
  /** Whether only failed traces can match. */
  readonly isFailed: boolean;
};

/** @param filter  undefined for all traces */
export function indexBoundsOf(filter: TraceFilter | undefined): IndexBounds {
  const conditions = filter ? conditionsIn(filter) : [];
  const equal = Object.fromEntries(
    conditions.flatMap((one) => {
      if (one.op !== "EQ") return [];
      const place = places.find((name) => name === one.key);
      return place === undefined ? [] : [[place, String(one.value)]];
    }),
  );
  const from = boundsOf(conditions, ["GT", "GTE", "EQ"], ["start_time"]);
  // Nothing ends before it starts.
  const to = boundsOf(conditions, ["LT", "LTE", "EQ"], ["start_time", "end_time"]);
  return {
    equal,
    ...(from.length > 0 && { from: Math.max(...from) }),
    ...(to.length > 0 && { to: Math.min(...to) }),
    isWhole: conditions.length === Object.keys(equal).length && conditions.length <= 1,
    isFailed: conditions.some((one) => one.op === "EQ" && one.key === "status" && one.value === "ERROR"),
  };
}

/** Conditions that all must hold. */
const conditionsIn = (filter: TraceFilter): TraceFilter[] =>
  filter.op === "AND" ? filter.conditions.flatMap(conditionsIn) : [filter];

function boundsOf(
  conditions: readonly TraceFilter[],
  ops: readonly string[],
  keys: readonly string[],
): number[] {
  return conditions.flatMap((one) =>
    "value" in one && ops.includes(one.op) && keys.includes(one.key) ? [Number(one.value)] : [],
  );
}
