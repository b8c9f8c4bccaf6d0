import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { integer } from "../values/fields.ts";
import { SpanStatus } from "./span.ts";

const text = v.optional(v.string());

/** Fields of a trace on the wire; unknown ones are left out. */
const summary = {
  trace_id: v.string(),
  name: v.string(),
  status: SpanStatus,
  /** Such as `640ms` or `1.50s`. */
  duration: v.string(),
  /** RFC 3339. */
  start_time: v.string(),
  end_time: v.string(),
  created_at: v.string(),
  total_spans: v.number(),
  error_count: v.number(),
  input: text,
  run_id: text,
  session_id: text,
  user_id: text,
  agent_id: text,
  team_id: text,
  workflow_id: text,
};
export const TraceSummary = v.object(summary);
export type TraceSummary = v.InferOutput<typeof TraceSummary>;

/** @source docs/interface/traces.md 1.5 */
export type TraceNode = {
  id: string;
  name: string;
  type: string;
  duration: string;
  start_time: string;
  end_time: string;
  status: SpanStatus;
  input?: string | undefined;
  output?: string | undefined;
  error?: string | undefined;
  spans?: TraceNode[] | undefined;
  step_type?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
};
export const TraceNode: v.GenericSchema<TraceNode> = v.object({
  id: v.string(),
  name: v.string(),
  type: v.string(),
  duration: v.string(),
  start_time: v.string(),
  end_time: v.string(),
  status: SpanStatus,
  input: text,
  output: text,
  error: text,
  spans: v.optional(v.array(v.lazy(() => TraceNode))),
  step_type: text,
  metadata: v.optional(v.record(v.string(), v.unknown())),
});

export const TraceDetail = v.object({ ...summary, output: text, error: text, tree: v.array(TraceNode) });
export type TraceDetail = v.InferOutput<typeof TraceDetail>;

/** Sums over a session's traces. */
export const SessionStats = v.object({
  session_id: v.string(),
  user_id: text,
  agent_id: text,
  team_id: text,
  workflow_id: text,
  total_traces: v.number(),
  first_trace_at: v.string(),
  last_trace_at: v.string(),
});
export type SessionStats = v.InferOutput<typeof SessionStats>;

export const FilterSchema = v.object({
  fields: v.array(
    v.object({
      key: v.string(),
      label: v.string(),
      type: v.picklist(["enum", "string", "number", "datetime"]),
      operators: v.array(v.string()),
      values: v.nullable(v.array(v.string())),
    }),
  ),
  logical_operators: v.array(v.string()),
});

/** Errors in the filter answer 400, so it is parsed later. */
export const SearchTracesBody = v.object({
  filter: meaning(
    v.nullish(v.looseObject({})),
    "A formula of conditions; GET /traces/filter-schema lists them",
  ),
  group_by: meaning(
    v.optional(v.picklist(["run", "session"]), "run"),
    "Whether traces are listed, or sessions with what theirs amount to",
  ),
  page: meaning(v.optional(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), 1), "The first page is 1"),
  limit: meaning(v.optional(integer({ min: 1, max: 100 }), 20), "Items of a page"),
});
