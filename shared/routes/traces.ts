import * as v from "valibot";
import {
  FilterSchema,
  SearchTracesBody,
  SessionStats,
  TraceDetail,
  TraceNode,
  TraceSummary,
} from "../schemas/traces/trace.ts";
import { describedAs } from "../schemas/values/described-as.ts";
import { integerText, optionalText } from "../schemas/values/fields.ts";
import { OptionalKeyText } from "../schemas/values/key-text.ts";
import { pageOf } from "../schemas/values/page.ts";
import type { RouteTable } from "./route.ts";

const scopes = ["traces:read"];
/** Which database is meant; there is one. */
const place = { db_id: optionalText() };
const components = { agent_id: OptionalKeyText, team_id: OptionalKeyText, workflow_id: OptionalKeyText };
const instant = describedAs(optionalText(), { type: "string", format: "date-time" });
const period = { start_time: instant, end_time: instant };
const limit = v.optional(integerText({ min: 1 }), "20");
const sight = "Whoever is no admin sees its own, whatever user_id says.";

/** @source contract, metrics-evals-traces C.1 */
export const traceRoutes = {
  listTraces: {
    method: "GET",
    path: "/traces",
    scopes,
    query: v.object({
      run_id: optionalText(),
      session_id: OptionalKeyText,
      user_id: OptionalKeyText,
      ...components,
      status: optionalText(),
      ...period,
      page: v.optional(integerText({ min: 0 }), "1"),
      limit,
      ...place,
    }),
    response: pageOf(TraceSummary),
    summary: "List traces, the newest start first",
    description: `${sight} By user, session, run or one component it costs what is found, not what is stored. At most 1,000 come on one page.`,
  },
  getTraceFilterSchema: {
    method: "GET",
    path: "/traces/filter-schema",
    scopes,
    query: v.object(place),
    response: FilterSchema,
    summary: "Tell what traces can be searched by",
  },
  getTrace: {
    method: "GET",
    path: "/traces/{trace_id}",
    scopes,
    params: v.object({ trace_id: v.string() }),
    query: v.object({ span_id: optionalText(), run_id: optionalText(), ...place }),
    response: v.union([TraceDetail, TraceNode]),
    summary: "Show the tree of one trace, or one of its spans",
  },
  listTraceSessionStats: {
    method: "GET",
    path: "/trace_session_stats",
    scopes,
    query: v.object({
      user_id: OptionalKeyText,
      ...components,
      ...period,
      page: v.optional(integerText({ min: 1 }), "1"),
      limit,
      ...place,
    }),
    response: pageOf(SessionStats),
    summary: "List sessions with what their traces amount to, the latest trace first",
    description: `${sight} start_time and end_time are compared with when a trace was written.`,
  },
  searchTraces: {
    method: "POST",
    path: "/traces/search",
    scopes,
    query: v.object(place),
    body: { json: SearchTracesBody },
    response: v.union([pageOf(TraceDetail), pageOf(SessionStats)]),
    summary: "Search traces by a formula of conditions",
    description:
      "What must be equal (a user, a session, a run, a component) and the bounds of start_time decide what is read; the rest is looked through.",
  },
} as const satisfies RouteTable;
