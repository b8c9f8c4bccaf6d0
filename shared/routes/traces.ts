import * as v from "valibot";
import {
  FilterSchema,
  SearchTracesBody,
  SessionStats,
  TraceDetail,
  TraceNode,
  TraceSummary,
} from "../schemas/traces/trace.ts";
import { describedAs, meaning } from "../schemas/values/described-as.ts";
import { optionalText } from "../schemas/values/fields.ts";
import { OptionalKeyText } from "../schemas/values/key-text.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { db_id, only, user_id } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const scopes = ["traces:read"];
const place = { db_id };
const components = {
  agent_id: only(OptionalKeyText, "agent"),
  team_id: only(OptionalKeyText, "team"),
  workflow_id: only(OptionalKeyText, "workflow"),
};
const instant = describedAs(optionalText(), { type: "string", format: "date-time" });
const period = {
  start_time: meaning(instant, "Not before this time"),
  end_time: meaning(instant, "Not after this time"),
};
const sight = "Whoever is no admin sees its own, whatever user_id says.";

/** @source docs/interface/traces.md 1.2 */
export const traceRoutes = {
  listTraces: {
    method: "GET",
    path: "/traces",
    scopes,
    query: v.object({
      run_id: only(optionalText(), "run"),
      session_id: only(OptionalKeyText, "session"),
      user_id,
      ...components,
      status: meaning(optionalText(), "Only traces that ended like this: OK, ERROR or UNSET"),
      ...period,
      ...pageQuery(undefined, { firstPage: 0 }),
      ...place,
    }),
    response: pageOf(TraceSummary),
    example: { query: { limit: 20 } },
    summary: "List traces, the newest start first",
    description: `${sight} By user, session, run or one component it costs what is found, not what is stored. At most 1,000 come on one page.`,
  },
  getTraceFilterSchema: {
    method: "GET",
    path: "/traces/filter-schema",
    scopes,
    query: v.object(place),
    response: FilterSchema,
    summary: "List what traces can be searched by",
  },
  getTrace: {
    method: "GET",
    path: "/traces/{trace_id}",
    scopes,
    params: v.object({ trace_id: idOf("the trace") }),
    query: v.object({
      span_id: meaning(optionalText(), "One span of the trace in place of its tree"),
      run_id: meaning(optionalText(), "The run that the trace is of"),
      ...place,
    }),
    response: v.union([TraceDetail, TraceNode]),
    summary: "Show the tree of one trace, or one of its spans",
  },
  listTraceSessionStats: {
    method: "GET",
    path: "/trace_session_stats",
    scopes,
    query: v.object({
      user_id,
      ...components,
      ...period,
      ...pageQuery(),
      ...place,
    }),
    response: pageOf(SessionStats),
    example: { query: { agent_id: "assistant" } },
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
    example: { body: { filter: { op: "EQ", key: "status", value: "OK" }, group_by: "run", limit: 20 } },
    summary: "Search traces by a formula of conditions",
    description:
      "What must be equal (a user, a session, a run, a component) and the bounds of start_time decide what is read; the rest is looked through.",
  },
} as const satisfies RouteTable;
