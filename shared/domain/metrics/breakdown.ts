import { addGroupSums, type Group, type GroupKey, type GroupSums, noGroupSums } from "./day-groups.ts";
import { percentile } from "./log-buckets.ts";
import { inDollars } from "./usage-sums.ts";

/** What figures can be broken down by. */
export const breakdowns = ["component", "version", "model", "tool", "user", "day"] as const;
export type BreakdownBy = (typeof breakdowns)[number];

type DayOfGroups = { readonly day: string; readonly groups: readonly Group[] };

/** The figures of some days by one thing, the largest first; days in their order. */
export function breakdownOf(days: readonly DayOfGroups[], by: BreakdownBy) {
  const sums = new Map<string, { readonly key: GroupKey; readonly sums: GroupSums }>();
  for (const { day, groups } of days) {
    for (const group of groups) {
      const key = keyIn(group, by, day);
      if (!key) continue;
      const id = JSON.stringify(key);
      sums.set(id, { key, sums: addGroupSums(sums.get(id)?.sums ?? noGroupSums, group) });
    }
  }
  const rows = [...sums.values()];
  const sorted =
    by === "day"
      ? rows.sort((a, b) => (String(a.key[0]) < String(b.key[0]) ? -1 : 1))
      : rows.sort((a, b) => b.sums.runs - a.sums.runs || b.sums.calls - a.sums.calls || order(a.key, b.key));
  return sorted.map(({ key, sums }) => ({ ...namesOf(by, key), ...figuresOf(sums) }));
}

const order = (a: GroupKey, b: GroupKey): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** The key under which a group counts; undefined where it is one of another kind. */
function keyIn({ by: own, key }: Group, by: BreakdownBy, day: string): GroupKey | undefined {
  if (by === "day") return own === "version" ? [day] : undefined;
  if (by === "component") return own === "version" ? key.slice(0, 2) : undefined;
  return own === by ? key : undefined;
}

function namesOf(by: BreakdownBy, key: GroupKey) {
  if (key.length === 0) return { others: true as const };
  const [first, second, third] = key;
  const component = { component_type: kindOf(first), component_id: String(second) };
  switch (by) {
    case "component":
      return component;
    case "version":
      return { ...component, version: typeof third === "number" ? third : null };
    case "model":
      return { model_provider: String(first), model_id: String(second) };
    case "tool":
      return { tool: String(first) };
    case "user":
      return { user_id: first === null ? null : String(first) };
    case "day":
      return { day: String(first) };
  }
}

const kindOf = (text: unknown): "agent" | "team" | "workflow" =>
  text === "team" || text === "workflow" ? text : "agent";

function figuresOf({ nanos, took, calls, call_errors, judgments, ...sums }: GroupSums) {
  const { runs, errors, input_tokens, output_tokens, cache_read_tokens } = sums;
  const { cost } = inDollars({ nanos });
  const { up, down, judged, passed } = judgments ?? { up: 0, down: 0, judged: 0, passed: 0 };
  return {
    runs,
    errors,
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    ...(input_tokens > 0 && { cache_hit_rate: Math.min(1, cache_read_tokens / input_tokens) }),
    ...(cost !== undefined && { cost, ...(runs > 0 && { cost_per_run: cost / runs }) }),
    tool_calls: calls,
    tool_errors: call_errors,
    thumbs: { up, down },
    judged,
    ...(judged > 0 && { pass_rate: passed / judged }),
    p50: percentile(took, 0.5),
    p90: percentile(took, 0.9),
    p95: percentile(took, 0.95),
    p99: percentile(took, 0.99),
  };
}
