import type { traceRoutes } from "../../routes/traces.ts";
import type { TraceDetail, TraceNode, TraceSummary } from "../../schemas/traces/trace.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const times = { start_time: "2026-03-04T09:15:00Z", end_time: "2026-03-04T09:15:00.640Z" };
const summary: TraceSummary = {
  trace_id: pathExamples.trace_id,
  name: "assistant.run",
  status: "OK",
  duration: "640ms",
  ...times,
  created_at: "2026-03-04T09:15:01Z",
  total_spans: 2,
  error_count: 0,
  input: "What time is it in Oslo?",
  run_id: pathExamples.run_id,
  session_id: pathExamples.session_id,
  user_id: "maria",
  agent_id: "assistant",
};
const call: TraceNode = {
  id: "00f067aa0ba902b7",
  name: "scripted.invoke",
  type: "LLM",
  duration: "310ms",
  ...times,
  status: "OK",
};
const trace: TraceDetail = {
  ...summary,
  output: "It is 10:15 in Oslo.",
  tree: [{ ...call, id: "53995c3f42cd8ad8", name: "assistant.run", type: "AGENT", spans: [call] }],
};
const stats = {
  session_id: pathExamples.session_id,
  user_id: "maria",
  agent_id: "assistant",
  total_traces: 3,
  first_trace_at: times.start_time,
  last_trace_at: times.end_time,
};

export const traceExamples: ExamplesOf<typeof traceRoutes> = {
  listTraces: { query: { session_id: summary.session_id, limit: 20 }, answer: pageWith(summary) },
  getTraceFilterSchema: {
    answer: {
      fields: [
        {
          key: "status",
          label: "Status",
          type: "enum",
          operators: ["EQ", "NEQ"],
          values: ["OK", "ERROR"],
        },
      ],
      logical_operators: ["AND", "OR", "NOT"],
    },
  },
  getTrace: { answer: trace },
  listTraceSessionStats: { query: { agent_id: "assistant" }, answer: pageWith(stats) },
  searchTraces: {
    body: { filter: { op: "EQ", key: "status", value: "OK" }, group_by: "run", limit: 20 },
    answer: pageWith(trace),
  },
};
