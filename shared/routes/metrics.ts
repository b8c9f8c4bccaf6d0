import * as v from "valibot";
import {
  Budgets,
  dayText,
  Metrics,
  MetricsBreakdown,
  MetricsDay,
  RefreshAccepted,
  RefreshStatus,
} from "../schemas/traces/metrics.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { booleanText, integerText } from "../schemas/values/fields.ts";
import { place, user_id } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

/** Whose figures, and from which database; there is one. */
const owned = { user_id, ...place };

/** @source docs/interface/metrics.md 1.2 */
export const metricsRoutes = {
  getMetrics: {
    method: "GET",
    path: "/metrics",
    scopes: ["metrics:read"],
    query: v.object({
      ...owned,
      starting_date: meaning(v.optional(dayText()), "The first day, in UTC"),
      ending_date: meaning(v.optional(dayText()), "The last day, in UTC"),
    }),
    response: Metrics,
    summary: "Show daily totals: sessions, runs, users, tokens, cost",
    description:
      "Whoever is no admin sees its own figures. Days are UTC; both bounds count. What is older than a minute is brought up to date first, if that is quick.",
  },
  getMetricsBreakdown: {
    method: "GET",
    path: "/metrics/breakdown",
    scopes: ["metrics:read"],
    query: v.object({
      ...owned,
      by: meaning(
        v.optional(v.picklist(["component", "version", "model", "tool", "user", "day"]), "component"),
        "What the figures are broken down by",
      ),
      starting_date: meaning(v.optional(dayText()), "The first day, in UTC; a week before the last one"),
      ending_date: meaning(v.optional(dayText()), "The last day, in UTC; today"),
      limit: meaning(v.optional(integerText({ min: 1, max: 500 }), "100"), "Most rows"),
    }),
    response: MetricsBreakdown,
    refuses: [400],
    summary: "Show figures by component, version, model, tool, user or day",
    description:
      "Runs, errors, tokens, cost, calls of tools, how long it took, thumbs, and what part of the judged runs passed, over 400 days at most. Whoever is no admin sees its own figures. Durations are of execution, without waiting for a place or a person; percentiles are at most 8 % off. Of each day the 200 largest of a kind are kept one by one.",
  },
  getBudgets: {
    method: "GET",
    path: "/budgets",
    scopes: ["metrics:read"],
    query: v.object({ user_id }),
    response: Budgets,
    summary: "Show what may be spent today, and what was",
    description:
      "What runs in progress have reserved counts as used. A service account spends from the budget of the user who minted it. Admins see that of all users together, too.",
  },
  refreshMetrics: {
    method: "POST",
    path: "/metrics/refresh",
    scopes: ["metrics:write"],
    query: v.object({
      ...owned,
      background: meaning(v.optional(booleanText(), "false"), "Answer 202 at once, before it is done"),
    }),
    response: v.union([v.array(MetricsDay), RefreshAccepted]),
    also: { 202: RefreshAccepted },
    summary: "Compute the days that are not final",
    description:
      "The days that were computed. With background=true, or when it takes longer than a request, 202: GET /metrics/refresh/status shows its progress.",
  },
  getRefreshStatus: {
    method: "GET",
    path: "/metrics/refresh/status",
    scopes: ["metrics:read"],
    query: v.object(owned),
    response: RefreshStatus,
    summary: "Show how the last refresh of the metrics stands",
  },
} as const satisfies RouteTable;
