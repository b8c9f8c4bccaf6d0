import * as v from "valibot";
import { dayText, Metrics, MetricsDay, RefreshAccepted, RefreshStatus } from "../schemas/traces/metrics.ts";
import { booleanText, optionalText } from "../schemas/values/fields.ts";
import { OptionalKeyText } from "../schemas/values/key-text.ts";
import type { RouteTable } from "./route.ts";

/** Whose figures, and from which database; there is one. */
const place = { user_id: OptionalKeyText, db_id: optionalText(), table: optionalText() };

/** @source contract, metrics A.1 */
export const metricsRoutes = {
  getMetrics: {
    method: "GET",
    path: "/metrics",
    scopes: ["metrics:read"],
    query: v.object({
      ...place,
      starting_date: v.optional(dayText()),
      ending_date: v.optional(dayText()),
    }),
    response: Metrics,
    summary: "Show what each day came to: sessions, runs, users, tokens, cost",
    description:
      "Whoever is no admin sees its own figures. Days are UTC; both bounds count. What is older than a minute is brought up to date first, if that is quick.",
  },
  refreshMetrics: {
    method: "POST",
    path: "/metrics/refresh",
    scopes: ["metrics:write"],
    query: v.object({ ...place, background: v.optional(booleanText(), "false") }),
    response: v.union([v.array(MetricsDay), RefreshAccepted]),
    also: { 202: RefreshAccepted },
    summary: "Compute the days that are not final",
    description:
      "The days that were computed. With background=true, or when it takes longer than a request, 202: GET /metrics/refresh/status tells how it stands.",
  },
  getRefreshStatus: {
    method: "GET",
    path: "/metrics/refresh/status",
    scopes: ["metrics:read"],
    query: v.object(place),
    response: RefreshStatus,
    summary: "Show how the last refresh of the metrics stands",
  },
} as const satisfies RouteTable;
